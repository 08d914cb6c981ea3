package roll.config.verl;

import org.jspecify.annotations.Nullable;
import roll.config.schema.ValueType;

/**
 * One option of verl or AgentFly.
 *
 * @param path as written there
 * @param type allowed values
 * @param standard verl's default, or null
 * @param agentStandard the default of AgentFly's guide, or null
 * @param ours our key, or the target option of an alias; empty if none
 * @param how how a value is handled
 * @param text the translation, or why it has no effect or is refused; else empty
 */
public record VerlKey(
    String path,
    ValueType type,
    @Nullable Object standard,
    @Nullable Object agentStandard,
    String ours,
    How how,
    String text) {
  /** Treatment of the value of a verl key. */
  public enum How {
    /** Treatment of a verl key: copied to our key. */
    COPIED,
    /** Treatment of a verl key: several of our keys are derived from it. */
    MADE,
    /** Treatment of a verl key: another name of an option. */
    ALIAS,
    /** Treatment of a verl key: accepted with a notice. */
    NO_EFFECT,
    /** Treatment of a verl key: only the default is accepted. */
    LATER
  }

  /** Returns the default of the option in verl, or in AgentFly. */
  @Nullable Object standard(boolean agent) {
    return agent ? agentStandard : standard;
  }
}
