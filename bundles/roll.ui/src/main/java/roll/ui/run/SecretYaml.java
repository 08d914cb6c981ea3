package roll.ui.run;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import roll.runtime.option.SecretText;
import roll.runtime.option.Secrets;

/**
 * Takes secrets out of YAML: a run leaves them out of its {@code config.yaml}, but others may have
 * put one in. It is read as YAML, so it does not matter how a key is written; from comments and
 * texts secrets are taken as from any text.
 */
final class SecretYaml {
  private static final int LONGEST_KEY = 200;
  private static final int MAX_KEYS = 5_000;
  private static final int MAX_PATH = 1_000;
  private static final String NOT_YAML =
      "# not shown: it is not YAML, so what is secret is unknown\n";

  private final String yaml;
  private final int[] offsets;
  private final List<Hidden> hidden = new ArrayList<>();
  private final Map<String, String> keys = new LinkedHashMap<>();
  private final Set<Node> looked = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Node> buried = Collections.newSetFromMap(new IdentityHashMap<>());

  private SecretYaml(String yaml) {
    this.yaml = yaml;
    offsets =
        yaml.chars().anyMatch(c -> Character.isSurrogate((char) c)) ? offsets(yaml) : new int[0];
  }

  /** A part of the text, and what stands in its place. */
  private record Hidden(int from, int to, String shown) {}

  /**
   * A configuration without secrets.
   *
   * @param text with {@code …} in place of secrets; a comment alone where it is not YAML
   * @param keys values by key, such as {@code a.b.0.c}; without secrets
   */
  record Shown(String text, Map<String, String> keys) {}

  /** Returns {@code text} without secrets. */
  static Shown without(String text) {
    SecretYaml secrets = new SecretYaml(text.startsWith("\ufeff") ? text.substring(1) : text);
    try {
      Yaml reader = new Yaml(new SafeConstructor(new LoaderOptions()));
      reader.composeAll(new StringReader(secrets.yaml)).forEach(root -> secrets.look(root, "", ""));
    } catch (YAMLException e) {
      return new Shown(NOT_YAML, Map.of());
    }
    return new Shown(SecretText.hidden(secrets.shown()), secrets.keys);
  }

  /** Where each code point begins: marks count these. */
  private static int[] offsets(String text) {
    int[] offsets = new int[text.codePointCount(0, text.length()) + 1];
    for (int i = 0, at = 0; i < offsets.length - 1; i++) {
      offsets[i] = at;
      at += Character.charCount(text.codePointAt(at));
    }
    offsets[offsets.length - 1] = text.length();
    return offsets;
  }

  private int offset(Mark mark) {
    return offsets.length == 0 ? mark.getIndex() : offsets[mark.getIndex()];
  }

  /**
   * Looks for secrets in {@code node}.
   *
   * @param path the mapping keys above it, each with a dot before it
   * @param key the same with the indices of lists; null within a mapping key
   */
  private void look(Node node, String path, @Nullable String key) {
    if (!looked.add(node)) {
      return;
    }
    if (node instanceof SequenceNode list) {
      for (int i = 0; i < list.getValue().size(); i++) {
        look(list.getValue().get(i), path, inside(key, String.valueOf(i)));
      }
    } else if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        look(entry.getKeyNode(), path, null);
        String name = key(entry.getKeyNode());
        String below = path + "." + name;
        if (!Secrets.is(below)) {
          look(entry.getValueNode(), below, inside(key, name));
        } else if (!named(entry.getValueNode())) {
          hide(entry.getKeyNode(), entry.getValueNode());
        }
      }
    } else if (node instanceof ScalarNode text && key != null && keys.size() < MAX_KEYS) {
      keys.put(key, text.getValue());
    }
  }

  private static @Nullable String inside(@Nullable String key, String name) {
    return key == null || key.length() > MAX_PATH ? null : key.isEmpty() ? name : key + "." + name;
  }

  /** Only its end decides. */
  private static String key(Node node) {
    String key = node instanceof ScalarNode text ? text.getValue().strip() : "";
    return key.substring(Math.max(0, key.length() - LONGEST_KEY));
  }

  /** Whether there is nothing, or the name of a variable. */
  private static boolean named(Node node) {
    return node instanceof ScalarNode text
        && (text.getValue().isEmpty() || Secrets.isVariable(text.getValue()));
  }

  /** Hides a value behind its key; where it is an alias, what that stands for. */
  private void hide(Node key, Node value) {
    int end = offset(key.getEndMark());
    if (offset(value.getStartMark()) >= end) {
      hidden.add(new Hidden(end, end(value), ": …"));
    }
    bury(value, end, end(value));
  }

  /** Hides what of {@code node} does not lie between two places. */
  private void bury(Node node, int from, int to) {
    int start = offset(node.getStartMark());
    boolean elsewhere = start < from || start >= to;
    if (elsewhere) {
      hidden.add(new Hidden(start, end(node), "…"));
    }
    if (!buried.add(node)) {
      return;
    }
    if (node instanceof SequenceNode list) {
      list.getValue().forEach(element -> bury(element, from, to));
    } else if (node instanceof MappingNode mapping) {
      mapping
          .getValue()
          .forEach(
              entry -> {
                bury(entry.getKeyNode(), from, to);
                bury(entry.getValueNode(), from, to);
              });
    }
  }

  /** The end of a node; the mark of a block is where the next one begins. */
  private int end(Node node) {
    int end = offset(node.getEndMark());
    while (end > offset(node.getStartMark()) && Character.isWhitespace(yaml.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private String shown() {
    hidden.sort(Comparator.comparingInt(Hidden::from));
    StringBuilder shown = new StringBuilder();
    int done = 0;
    for (Hidden part : hidden) {
      if (part.from() >= done) {
        shown.append(yaml, done, part.from()).append(part.shown());
      }
      done = Math.max(done, part.to());
    }
    return shown.append(yaml, done, yaml.length()).toString();
  }
}
