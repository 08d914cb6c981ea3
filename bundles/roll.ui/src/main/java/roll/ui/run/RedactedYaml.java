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
import roll.runtime.option.SecretRedactor;
import roll.runtime.option.Secrets;

/**
 * YAML without secrets: a run writes none into its {@code config.yaml}, but someone may have added
 * one. It is parsed as YAML, so the style of keys does not matter; comments and texts are searched
 * like any text.
 *
 * @param text with {@code …} in place of secrets; a comment alone where it is not YAML
 * @param keys values by key, such as {@code a.b.0.c}; without secrets
 */
record RedactedYaml(String text, Map<String, String> keys) {
  /** Redacted YAML of a missing file. */
  static final RedactedYaml NONE = new RedactedYaml("", Map.of());

  private static final int MAX_KEY = 200;
  private static final int MAX_KEYS = 5_000;
  private static final int MAX_PATH = 1_000;
  private static final String NOT_YAML =
      "# not shown: it is not YAML, so its secrets are unknown\n";

  /** Returns the text {@code yaml} without secrets. */
  static RedactedYaml of(String yaml) {
    Parser parser = new Parser(yaml.startsWith("\ufeff") ? yaml.substring(1) : yaml);
    try {
      new Yaml(new SafeConstructor(new LoaderOptions()))
          .composeAll(new StringReader(parser.yaml))
          .forEach(root -> parser.look(root, "", ""));
    } catch (YAMLException e) {
      return new RedactedYaml(NOT_YAML, Map.of());
    }
    return new RedactedYaml(SecretRedactor.hidden(parser.redacted()), parser.keys());
  }

  /** Parses the nodes of one YAML text. */
  private static final class Parser {
    private final String yaml;
    private final int[] offsets;
    private final List<Hidden> hidden = new ArrayList<>();
    private final Map<String, ScalarNode> values = new LinkedHashMap<>();
    private final Set<Node> looked = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Node> buried = Collections.newSetFromMap(new IdentityHashMap<>());

    Parser(String yaml) {
      this.yaml = yaml;
      offsets =
          yaml.chars().anyMatch(c -> Character.isSurrogate((char) c)) ? offsets(yaml) : new int[0];
    }

    /** A part of the text, and its replacement. */
    private record Hidden(int from, int to, String replacement) {}

    /** Returns the offset of each code point: marks count code points. */
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
     * Searches {@code node} for secrets.
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
      } else if (node instanceof ScalarNode text && key != null && values.size() < MAX_KEYS) {
        values.put(key, text);
      }
    }

    private static @Nullable String inside(@Nullable String key, String name) {
      return key == null || key.length() > MAX_PATH
          ? null
          : key.isEmpty() ? name : key + "." + name;
    }

    /** Returns the end of a key, which decides whether it names a secret. */
    private static String key(Node node) {
      String key = node instanceof ScalarNode text ? text.getValue().strip() : "";
      return key.substring(Math.max(0, key.length() - MAX_KEY));
    }

    /** Returns whether the value is empty, or the name of a variable. */
    private static boolean named(Node node) {
      return node instanceof ScalarNode text
          && (text.getValue().isEmpty() || Secrets.isVariable(text.getValue()));
    }

    /** Hides a value after its key; for an alias also the node that it refers to. */
    private void hide(Node key, Node value) {
      int end = offset(key.getEndMark());
      if (offset(value.getStartMark()) >= end) {
        hidden.add(new Hidden(end, end(value), ": …"));
      }
      bury(value, end, end(value));
    }

    /** Hides the parts of {@code node} outside the offsets {@code from} to {@code to}. */
    private void bury(Node node, int from, int to) {
      int start = offset(node.getStartMark());
      boolean outside = start < from || start >= to;
      if (outside) {
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

    /**
     * Returns the end of a node without trailing whitespace: the mark of a block is the start of
     * the next one.
     */
    private int end(Node node) {
      int end = offset(node.getEndMark());
      while (end > offset(node.getStartMark()) && Character.isWhitespace(yaml.charAt(end - 1))) {
        end--;
      }
      return end;
    }

    /** Returns the values by key, without those that a secret is an alias of. */
    Map<String, String> keys() {
      Map<String, String> keys = new LinkedHashMap<>();
      values.forEach(
          (key, node) -> {
            if (!buried.contains(node)) {
              keys.put(key, node.getValue());
            }
          });
      return keys;
    }

    String redacted() {
      hidden.sort(Comparator.comparingInt(Hidden::from));
      StringBuilder shown = new StringBuilder();
      int done = 0;
      for (Hidden part : hidden) {
        if (part.from() >= done) {
          shown.append(yaml, done, part.from()).append(part.replacement());
        }
        done = Math.max(done, part.to());
      }
      return shown.append(yaml, done, yaml.length()).toString();
    }
  }
}
