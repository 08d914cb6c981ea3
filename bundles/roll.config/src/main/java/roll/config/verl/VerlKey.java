package roll.config.verl;

import org.jspecify.annotations.Nullable;
import roll.config.dialect.Translation;
import roll.config.dialect.Translation.How;
import roll.config.schema.ValueType;

/**
 * One option of verl or AgentFly.
 *
 * @param path as written there
 * @param type allowed values
 * @param standard verl's default, or null
 * @param agentStandard the default of AgentFly's guide, or null
 * @param ours our key, or the target option of an alias; empty if none
 * @param translation how a value is handled
 */
public record VerlKey(
    String path,
    ValueType type,
    @Nullable Object standard,
    @Nullable Object agentStandard,
    String ours,
    Translation translation) {
  /** Returns how a value is handled. */
  public How how() {
    return translation.how();
  }

  /** Returns the translation, or why it has no effect or is refused; else an empty text. */
  public String text() {
    return translation.text();
  }

  /** Returns the default of the option in verl, or in AgentFly. */
  @Nullable Object standard(boolean agent) {
    return agent ? agentStandard : standard;
  }
}
