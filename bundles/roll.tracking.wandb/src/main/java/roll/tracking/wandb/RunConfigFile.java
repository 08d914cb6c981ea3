package roll.tracking.wandb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** The configuration in the folder of a run, without secrets. */
final class RunConfigFile {
  private RunConfigFile() {}

  /** Returns the settings by key; empty if they cannot be read. */
  static Map<String, @Nullable Object> read(Path folder) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>();
    try {
      String text = Files.readString(folder.resolve("config.yaml"));
      if (new Yaml(new SafeConstructor(new LoaderOptions())).load(text) instanceof Map<?, ?> map) {
        map.forEach((key, value) -> settings.put(String.valueOf(key), value));
      }
    } catch (IOException | YAMLException e) {
      // the run is sent without settings
    }
    return settings;
  }
}
