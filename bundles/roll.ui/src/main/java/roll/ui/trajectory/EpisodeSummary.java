package roll.ui.trajectory;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the list of episodes.
 *
 * @param index number of its line in the file, from 0
 * @param id name of the trajectory
 * @param tag name of the environment
 * @param group name of its group, the same for all members
 * @param member number in its group
 * @param score sum of its rewards
 * @param advantage mean over the tokens that are trained on; null where there is none
 * @param turns number of turns
 * @param tokens number of tokens of all its sequences
 * @param written number of generated tokens
 * @param surprise mean −log-prob of the generated tokens; null where there are none
 * @param finish reason of its end
 * @param cut number of responses that reached the token limit
 * @param answer the extracted answer, or null
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
