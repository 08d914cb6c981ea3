package roll.config.trl;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.config.dialect.Translation;
import roll.config.dialect.Translation.How;
import roll.config.schema.ValueType;

/**
 * One key of TRL's files.
 *
 * @param trainers whose files have it, with this default
 * @param name as written there
 * @param type allowed values
 * @param standard TRL's default, or null
 * @param ours our key, or the key of an alias; empty if none
 * @param translation how a value is handled
 */
public record TrlKey(
    Set<TrlTrainer> trainers,
    String name,
    ValueType type,
    @Nullable Object standard,
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
}
