package roll.api.rollout;

import java.util.List;
import roll.api.data.Message;
import roll.api.strategy.Sampling;

/**
 * The input of an agent in one turn.
 *
 * @param messages the conversation, the newest message last
 * @param view the current state of the environment
 * @param sampling sampling settings for a model
 * @param seed random seed derived from the run's seed, the slot, and the turn
 * @param number number of the turn, from 0
 */
public record AgentTurn(
    List<Message> messages, EpisodeView view, Sampling sampling, long seed, int number) {}
