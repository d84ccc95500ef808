"""Who pays whom (rules, section 2)."""

from __future__ import annotations

from functools import lru_cache

from scoring.ruleset import Limit, Points, Shares


@lru_cache(4096)
def basic_points(points: Points, fan: int, fu: int | None) -> tuple[int, Limit | None]:
    """Basic points of a hand without a yakuman, and the limit they come from if any."""
    limit = next((limit for limit in reversed(points.limits) if fan >= limit.fan), None)
    if fu is None:
        return (limit.basic, limit) if limit else (points.basic[fan - 1], None)
    if limit:
        return limit.basic, limit
    basic = fu << (fan + points.doublings)
    cap = points.limits[0] if points.limits else points.yakuman
    return (cap.basic, cap) if basic > cap.basic else (basic, None)


@lru_cache(4096)
def payments(
    shares: Shares, basic: int, players: int, winner: int, dealer: int, discarder: int | None
) -> tuple[int, ...]:
    """What each seat wins or loses; `discarder` is None for a self-draw. The sum is zero."""

    def rounded(amount: int) -> int:
        return -(-amount // shares.round_up_to) * shares.round_up_to

    paid = [0] * players
    if discarder is not None:
        paid[discarder] = rounded(basic * (shares.discard_to_dealer if winner == dealer else shares.discard))
    else:
        owed = {
            seat: shares.draw_dealer if dealer in (seat, winner) else shares.draw
            for seat in range(players)
            if seat != winner
        }
        missing = 0
        if shares.tsumo_share == "full":
            missing = (shares.full_table - players) * (shares.draw_dealer if winner == dealer else shares.draw)
        for seat, share in owed.items():
            # The missing seats' shares are split evenly among those present, then rounded with their own.
            paid[seat] = rounded(basic * share + -(-basic * missing // len(owed)))
    result = [-amount for amount in paid]
    result[winner] = sum(paid)
    return tuple(result)
