package roll.api.config;

import java.util.Map;

/**
 * One entry of {@code custom_envs.<tag>.rewards}.
 *
 * @param reward id of the reward function
 * @param weight what its score is multiplied by
 * @param options the other keys as written; the reward function checks them
 */
public record RewardConfig(String reward, double weight, Map<String, Object> options) {}
