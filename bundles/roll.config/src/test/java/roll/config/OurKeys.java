package roll.config;

import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.ValueType;
import roll.config.tree.YamlTree;

/** The keys of ours that the tables of other systems name. */
public final class OurKeys {
  private OurKeys() {}

  /** Whether {@code path} is a key of ours, or inside of a mapping whose keys are the user's. */
  public static boolean has(String path) {
    Schema schema = new Schema();
    String section = Schema.RUN;
    for (String name :
        YamlTree.keys(
            path.replaceFirst("^custom_envs\\.\\w+", "custom_envs")
                .replaceFirst("^reward_models\\.\\w+", "reward_models"))) {
      Key key = schema.section(section).get(name);
      if (key == null) {
        return false;
      }
      if (!(key.type() instanceof ValueType.Sub sub)) {
        return true;
      }
      section = sub.section();
    }
    return true;
  }
}
