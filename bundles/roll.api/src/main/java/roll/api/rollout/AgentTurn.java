package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.strategy.Sampling;

/**
 * What an agent sees of a turn.
 *
 * @param messages the conversation, the newest message last
 * @param view the world as it is now
 * @param sampling how a model would draw the response
 * @param seed of what depends on chance: a function of the run's seed, the slot and the turn
 * @param number of the turn, from 0
 */
public record AgentTurn(
    List<Message> messages, EpisodeView view, Sampling sampling, long seed, int number) {}
