package roll.ui.trajectory;

import org.jspecify.annotations.Nullable;

/**
 * What a list tells of an episode.
 *
 * @param index number of its line in the file, from 0
 * @param id name of the trajectory
 * @param tag name of the environment
 * @param group name of its group, the same for all members
 * @param member number in its group
 * @param score sum of its rewards
 * @param advantage mean over the tokens that are trained on; null where the file has none
 * @param turns how many
 * @param tokens of all of its sequences
 * @param written those of them that the policy wrote
 * @param surprise mean of −log-prob of these; null where there are none
 * @param finish why it ended
 * @param cut responses that ended at the limit of their tokens
 * @param answer what its answer was read as, or null
 * @param peek the beginning of its last message
 * @param solved whether the environment reports success; where it reports none, whether the score
 *     is above 0
 */
record EpisodeSummary(
    int index,
    String id,
    String tag,
    String group,
    int member,
    double score,
    @Nullable Double advantage,
    int turns,
    int tokens,
    int written,
    @Nullable Double surprise,
    String finish,
    int cut,
    @Nullable String answer,
    String peek,
    boolean solved) {}
