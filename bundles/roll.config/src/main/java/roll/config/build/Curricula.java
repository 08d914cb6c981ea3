package roll.config.build;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.Tree;
import roll.runtime.config.CurriculumConfig;

/** The mapping {@code curriculum}: its {@code type} and, beside it, the options of the plugin. */
final class Curricula {
  private static final String CURRICULUM = "curriculum";
  private static final String TYPE = "type";

  private Curricula() {}

  /**
   * The curriculum of {@code run}, or null where it is not written or empty.
   *
   * @throws UserException if it has no name
   */
  static @Nullable CurriculumConfig of(Section run) {
    Map<String, Object> options = new LinkedHashMap<>(run.mapping(CURRICULUM));
    if (options.isEmpty()) {
      return null;
    }
    Object type = options.remove(TYPE);
    if (!(type instanceof String name) || name.isBlank()) {
      throw new UserException(
          run.where(CURRICULUM)
              + "."
              + TYPE
              + ": expected the name of a curriculum, found "
              + (type == null ? "none" : Tree.shown(type)));
    }
    return new CurriculumConfig(name, options);
  }
}
