package roll.config.trl;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.config.schema.ValueType;
import roll.config.verl.VerlKey;

/**
 * One key of TRL's files.
 *
 * @param trainers whose files have it, with this default
 * @param name as written there
 * @param type allowed values
 * @param standard TRL's default, or null
 * @param ours our key, or the key of an alias; empty if none
 * @param how how a value is handled
 * @param text the translation, or why it has no effect or is refused; else empty
 */
public record TrlKey(
    Set<TrlTrainer> trainers,
    String name,
    ValueType type,
    @Nullable Object standard,
    String ours,
    VerlKey.How how,
    String text) {}
