package roll.api.config;

import java.util.Map;

/**
 * Tool use of the policy in an environment ({@code custom_envs.<tag>.agent}).
 *
 * @param type id of the agent type
 * @param tools options by tool id, as written and in the order written; the tool checks them
 * @param maxCalls maximum number of calls per episode; 0 sets no limit
 * @param maxParallelCalls maximum number of calls per message; calls beyond it get an error as
 *     their result
 * @param parallel whether the calls of one message run concurrently, otherwise sequentially
 * @param callTimeout time limit of a call in seconds
 * @param maxResultLength maximum number of characters of a result; longer results are truncated
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
  /** The part of a too long text that is kept. */
  public enum Side {
    /** Side of a text that is truncated: the beginning. */
    LEFT,
    /** Side of a text that is truncated: the end. */
    RIGHT,
    /** Half at the beginning and half at the end. */
    MIDDLE
  }
}
