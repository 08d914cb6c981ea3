package roll.config.verl;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.roll.RollPipeline;
import roll.config.schema.Schema;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;
import roll.text.Suggestion;

/**
 * Removes verl's sections from a configuration. {@code critic} and {@code reward} are sections of
 * both: each of their keys goes to the framework that has it, and a key of neither is refused.
 */
final class VerlSections {
  /**
   * The sections that both verl and this project have, with the schema section of this project's
   * keys in them.
   */
  private static final Map<String, String> SHARED = Map.of("critic", "critic", "reward", "worker");

  /** Hydra's key of a class name, which has no effect here. */
  private static final String TARGET = "_target_";

  private final VerlTable table;
  private final Schema schema;
  private final ConfigDraft draft;

  VerlSections(VerlTable table, Schema schema, ConfigDraft draft) {
    this.table = table;
    this.schema = schema;
    this.draft = draft;
  }

  /**
   * Removes verl's sections from {@code tree} and returns them; {@code reward_model} is ROLL's in a
   * file of its RLVR pipeline.
   *
   * @throws UserException for the first key of a shared section that is neither's
   */
  Map<String, @Nullable Object> takenOut() {
    Map<String, @Nullable Object> tree = draft.tree();
    Map<String, @Nullable Object> theirs = new LinkedHashMap<>();
    for (String section : table.sections()) {
      String ours = SHARED.get(section);
      if (ours != null) {
        Map<String, @Nullable Object> shared = shared(tree, section, schema.section(ours).keySet());
        if (!shared.isEmpty()) {
          theirs.put(section, shared);
        }
      } else if (tree.containsKey(section)
          && !(section.equals("reward_model") && RollPipeline.of(tree) == RollPipeline.RLVR)) {
        theirs.put(section, tree.remove(section));
      }
    }
    return theirs;
  }

  private Map<String, @Nullable Object> shared(
      Map<String, @Nullable Object> tree, String section, Set<String> known) {
    Map<String, @Nullable Object> all = YamlTree.mapping(tree.get(section));
    Map<String, @Nullable Object> theirs = new LinkedHashMap<>();
    if (all == null) {
      return theirs;
    }
    Map<String, @Nullable Object> left = new LinkedHashMap<>();
    all.forEach(
        (key, value) -> {
          String path = section + "." + key;
          boolean theirOwn = table.get(path) != null || table.inside(path) || key.equals(TARGET);
          if (!known.contains(key) && (theirOwn || !table.near(path).isEmpty())) {
            theirs.put(key, value);
          } else if (known.contains(key)) {
            left.put(key, value);
          } else {
            throw new UserException(
                "%s: unknown key '%s'%s"
                    .formatted(draft.where(path), path, Suggestion.near(key, known)));
          }
        });
    if (left.isEmpty()) {
      tree.remove(section);
    } else {
      tree.put(section, left);
    }
    return theirs;
  }
}
