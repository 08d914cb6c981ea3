package roll.api.config;

import java.util.Map;

/**
 * One entry of {@code custom_envs.<tag>.rewards}.
 *
 * @param reward id of the reward function
 * @param weight factor of its score
 * @param options the remaining keys as written; the reward function checks them
 */
public record RewardConfig(String reward, double weight, Map<String, Object> options) {}
