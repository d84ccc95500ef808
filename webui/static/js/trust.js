// Whether this phone trusts hupai: a picture of the page's https side comes, or it does not.

const waiting = document.getElementById("waiting");
const done = document.getElementById("done");

function look() {
  const picture = new Image();
  const tell = (trusted) => {
    waiting.hidden = trusted;
    done.hidden = !trusted;
  };
  picture.onload = () => tell(true);
  picture.onerror = () => tell(false);
  picture.src = `https://${location.host}/trust/seen.svg?${Date.now()}`; // never one that was kept
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") look(); // back from the settings
});
look();
