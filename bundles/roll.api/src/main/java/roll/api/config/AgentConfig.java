package roll.api.config;

import java.util.Map;

/**
 * How the policy of an environment calls tools ({@code custom_envs.<tag>.agent}).
 *
 * @param type id of the agent type
 * @param tools id of each tool and its options as written, in the order written; the tool checks
 *     them
 * @param maxCalls most calls of an episode; 0 sets no limit
 * @param maxParallelCalls most calls of one message; those beyond are told so
 * @param parallel whether the calls of one message run at once, otherwise one after the other
 * @param callTimeout seconds that a call may take
 * @param maxResultLength most characters of a result; what is longer is cut
 * @param truncateSide which part of a longer result is kept
 */
public record AgentConfig(
    String type,
    Map<String, Map<String, Object>> tools,
    int maxCalls,
    int maxParallelCalls,
    boolean parallel,
    double callTimeout,
    int maxResultLength,
    Side truncateSide) {
  /** Which part is kept of what is too long. */
  public enum Side {
    /** The beginning. */
    LEFT,
    /** The end. */
    RIGHT,
    /** Half of it at the beginning, half at the end. */
    MIDDLE
  }
}
