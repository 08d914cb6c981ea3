package roll.cnf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A parsed Kubernetes manifest.
 *
 * @param objects its documents
 */
record KubernetesManifest(List<Map<?, ?>> objects) {
  /** Parses {@code file}; duplicate keys are refused. */
  static KubernetesManifest read(Path file) throws IOException {
    LoaderOptions strict = new LoaderOptions();
    strict.setAllowDuplicateKeys(false);
    List<Map<?, ?>> objects = new ArrayList<>();
    for (Object one : new Yaml(new SafeConstructor(strict)).loadAll(Files.readString(file))) {
      objects.add((Map<?, ?>) one);
    }
    return new KubernetesManifest(objects);
  }

  /** Returns the value at {@code path}, keys and list indices separated by dots. */
  static Object at(Object from, String path) {
    Object found = from;
    for (String step : path.split("\\.", -1)) {
      found = found instanceof List<?> list ? list.get(Integer.parseInt(step)) : of(found, step);
      if (found == null) {
        throw new AssertionError("nothing at " + path + " of " + from);
      }
    }
    return found;
  }

  private static Object of(Object from, String key) {
    return ((Map<?, ?>) from).get(key);
  }

  /** Returns the value at {@code path} of each element. */
  static List<Object> each(Object list, String path) {
    List<Object> found = new ArrayList<>();
    for (Object one : (List<?>) list) {
      found.add(at(one, path));
    }
    return found;
  }

  /** Returns the object with this kind and name. */
  Map<?, ?> object(String kind, String name) {
    return objects.stream()
        .filter(o -> kind.equals(o.get("kind")) && name.equals(at(o, "metadata.name")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind + " " + name));
  }

  /** Returns the pod template of the Job {@code name}. */
  Object pod(String name) {
    return at(object("Job", name), "spec.template.spec");
  }

  /** Returns the arguments of {@code roll} in the container of the Job {@code name}. */
  List<String> arguments(String name) {
    List<String> arguments = new ArrayList<>();
    for (Object word : (List<?>) at(pod(name), "containers.0.args")) {
      arguments.add((String) word);
    }
    return arguments;
  }
}
