package roll.runtime.config;

import java.util.Map;
import java.util.TreeSet;

/**
 * The source of the responses ({@code llm_proxy}): the policy or an agent.
 *
 * @param type id of an agent, or {@code policy} for the model of actor_infer
 * @param options {@code proxy_config} as written; checked by the agent
 */
public record ProxyConfig(String type, Map<String, Object> options) {
  /** Id of the proxy for which the model of actor_infer responds. */
  public static final ProxyConfig POLICY = new ProxyConfig("policy", Map.of());

  /** Returns whether the model of actor_infer writes the responses, rather than an agent. */
  public boolean isPolicy() {
    return type.equals(POLICY.type);
  }

  /** Prints the names of the options only, since a value may be a secret. */
  @Override
  public String toString() {
    return "ProxyConfig[" + type + ", " + new TreeSet<>(options.keySet()) + "]";
  }
}
