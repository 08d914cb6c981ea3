package roll.runtime.config;

import java.util.Map;
import java.util.TreeSet;

/**
 * Who writes the responses ({@code llm_proxy}).
 *
 * @param type id of an agent, or {@code policy} for the model of actor_infer
 * @param options {@code proxy_config} as written; the agent checks it
 */
public record ProxyConfig(String type, Map<String, Object> options) {
  /** The model of actor_infer. */
  public static final ProxyConfig POLICY = new ProxyConfig("policy", Map.of());

  /** Whether the model of actor_infer writes, and not an agent. */
  public boolean isPolicy() {
    return type.equals(POLICY.type);
  }

  /** The names of the options alone: a value may be a secret. */
  @Override
  public String toString() {
    return "ProxyConfig[" + type + ", " + new TreeSet<>(options.keySet()) + "]";
  }
}
