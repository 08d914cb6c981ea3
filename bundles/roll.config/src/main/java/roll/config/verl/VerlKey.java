package roll.config.verl;

import org.jspecify.annotations.Nullable;
import roll.config.schema.ValueType;

/**
 * One option of verl or AgentFly.
 *
 * @param path as written there
 * @param type what values are allowed
 * @param standard verl's default, or null
 * @param agentStandard the default of AgentFly's guide, or null
 * @param ours our key, or the option an alias stands for; empty where there is none
 * @param how what becomes of a value
 * @param text what is made of it, or why it does nothing or is refused; else empty
 */
public record VerlKey(
    String path,
    ValueType type,
    @Nullable Object standard,
    @Nullable Object agentStandard,
    String ours,
    How how,
    String text) {
  /** What becomes of a value. */
  public enum How {
    /** It is our key's value. */
    COPIED,
    /** Our keys follow from it in another way. */
    MADE,
    /** It is another name of an option. */
    ALIAS,
    /** It is accepted with a notice. */
    NO_EFFECT,
    /** Only the default is accepted. */
    LATER
  }

  /** The default in a run of AgentFly's, or in one of verl's. */
  @Nullable Object standard(boolean agent) {
    return agent ? agentStandard : standard;
  }
}
