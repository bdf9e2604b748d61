"""Where a call stands in its program: straight-line code, branches, loops, returns. Each is built to mislead a compiler.

A context is a function of a Site. It returns the statements, the results that `{store}` stores in them, and
`evaluate(rows, extras, where)`, which gives for each rank of a group the values of the results, or None if it stores nothing.
"""

from branch_places import (called_twice, conditional_expression, group_returns_before, in_one_arm, nested_arms,
                           other_collective_in_other_arm, same_call_in_both_arms, switch_arms)
from loop_places import (between_others, counted_loop, loop_with_data_exit, loop_with_return, nested_loops, twice, unrolled_loop,
                         waterfall)
from operand_places import (after_divergent_loop, broadcast_operand, computed_operand, constant_operand, return_before,
                            same_in_warps_operand, uniform_operand)
from use_places import (elected_uses, folded_vote, low_ranks_use, one_leaf_used, one_rank_uses, return_after, some_ranks_use,
                        some_warps_use)
from sites import plain

ANY_CALL = [plain, plain, plain, in_one_arm, return_after, group_returns_before, one_rank_uses, some_ranks_use, elected_uses,
            low_ranks_use, one_leaf_used, other_collective_in_other_arm, folded_vote]
WITH_OPERAND = ANY_CALL + [constant_operand, uniform_operand, broadcast_operand, computed_operand, computed_operand, twice,
                           same_call_in_both_arms, nested_arms, switch_arms, conditional_expression, waterfall, return_before,
                           after_divergent_loop, called_twice]
WITH_LOOPS = WITH_OPERAND + [loop_with_data_exit, loop_with_data_exit, counted_loop, between_others, unrolled_loop, nested_loops,
                             loop_with_return]
WITH_WHOLE_BLOCKS = [some_warps_use, same_in_warps_operand]
# The groups that have all threads of a block.
OF_BLOCKS = ("block", "cluster", "grid")


def places(operand=True, loops=True, whole_blocks=True):
    """The names of the contexts that calls have which take an operand, whose result may be the next one's operand."""
    listed = WITH_LOOPS if loops else WITH_OPERAND if operand else ANY_CALL
    listed = listed + (WITH_WHOLE_BLOCKS if operand else WITH_WHOLE_BLOCKS[:1]) * whole_blocks
    return tuple(dict.fromkeys(context.__name__ for context in listed))


def contexts_of(call, group):
    """The contexts that a call can stand in, the likelier ones more than once."""
    whole = group.kind in OF_BLOCKS
    if call.fixed or not call.operands:
        return ANY_CALL + WITH_WHOLE_BLOCKS[:1] * 2 * whole
    loops = call.result.text == call.operands[0].value_type.text
    return (WITH_LOOPS if loops else WITH_OPERAND) + WITH_WHOLE_BLOCKS * 2 * whole
