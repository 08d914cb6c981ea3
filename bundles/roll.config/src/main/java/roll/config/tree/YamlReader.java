package roll.config.tree;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import roll.api.option.UserException;

/**
 * Strict YAML 1.1 as PyYAML reads it, without dates: mappings with text keys, lists, text, numbers,
 * booleans and null. Duplicate keys, foreign tags, endless aliases and what exceeds the {@link
 * ConfigSizeLimits} are refused.
 */
public final class YamlReader {
  /** One file: its tree, the lines of its keys, and the number of its values. */
  public record Document(@Nullable Object root, KeyOrigins origins, int values) {}

  /** Resolver of all texts; it has no state, and building it takes longer than reading most. */
  private static final Resolver NO_DATES = new NoDates();

  private final String name;
  private final IdentityHashMap<Object, Object> open = new IdentityHashMap<>();

  private YamlReader(String name) {
    this.name = name;
  }

  /**
   * Reads a YAML file.
   *
   * @throws UserException if it cannot be read or is not YAML
   */
  public static Document read(Path file) {
    return new YamlReader(file.toString()).document(ConfigText.read(file));
  }

  /**
   * Parses {@code text} as a YAML value.
   *
   * @param name of the text's place, for messages
   */
  public static @Nullable Object value(String name, String text) {
    return new YamlReader(name).document(text).root();
  }

  /** Refuses long lines that do not begin with a key: what is no key by far, and long remarks. */
  private void requireKeys(String text) {
    int line = 1;
    for (int start = 0; start < text.length(); line++) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      int colon = text.indexOf(':', start, Math.min(end, start + ConfigSizeLimits.LINE_KEY));
      if (colon < 0 && end - start > ConfigSizeLimits.LINE) {
        throw new UserException(
            "%s:%d: a line of more than %d characters that does not begin with a key"
                .formatted(name, line, ConfigSizeLimits.LINE));
      }
      start = end + 1;
    }
  }

  private Document document(String text) {
    KeyOrigins origins = new KeyOrigins(name);
    requireKeys(text);
    try {
      Trees constructor = new Trees(options());
      Yaml yaml =
          new Yaml(
              constructor,
              new Representer(new DumperOptions()),
              new DumperOptions(),
              options(),
              NO_DATES);
      Node node = yaml.compose(new StringReader(text));
      if (node == null || node.getTag().equals(Tag.NULL)) {
        return new Document(null, origins, 0);
      }
      long values = Expansion.of(node);
      if (values > ConfigSizeLimits.VALUES) {
        throw new UserException(
            name
                + ": values and aliases expand to more than "
                + ConfigSizeLimits.VALUES
                + " values");
      }
      note(node, "", origins, Collections.newSetFromMap(new IdentityHashMap<>()));
      return new Document(plain(constructor.tree(node), ""), origins, (int) values);
    } catch (MarkedYAMLException e) {
      throw new UserException(place(e) + ": " + oneLine(String.valueOf(e.getProblem())), e);
    } catch (IllegalArgumentException | ClassCastException e) {
      throw new UserException(name + ": a value is not of the type that its tag (!!) says", e);
    } catch (YAMLException e) {
      throw new UserException(name + ": " + oneLine(String.valueOf(e.getMessage())), e);
    }
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setAllowRecursiveKeys(false);
    options.setCodePointLimit(ConfigSizeLimits.FILE);
    return options;
  }

  private String place(MarkedYAMLException e) {
    return e.getProblemMark() == null
        ? name
        : name
            + ":"
            + (e.getProblemMark().getLine() + 1)
            + ":"
            + (e.getProblemMark().getColumn() + 1);
  }

  private static String oneLine(String message) {
    String shown = message.length() > 200 ? message.substring(0, 200) + "…" : message;
    return shown.strip().replaceAll("\\s+", " ");
  }

  /** Refuses {@code {a:1}}, which YAML reads as a key with a colon in it and no value. */
  private void spaced(ScalarNode key, Node value) {
    String word = key.getValue();
    int colon = word.indexOf(':');
    if (colon > 0
        && key.isPlain()
        && value instanceof ScalarNode nothing
        && nothing.getTag().equals(Tag.NULL)
        && nothing.getValue().isEmpty()) {
      throw new UserException(
          "%s:%d: a space is needed behind '%s:', else it is a key without a value"
              .formatted(name, key.getStartMark().getLine() + 1, word.substring(0, colon)));
    }
  }

  private ScalarNode key(Node node) {
    String where = name + ":" + (node.getStartMark().getLine() + 1);
    if (!(node instanceof ScalarNode key)) {
      throw new UserException(where + ": a key must be a text");
    }
    if (key.getValue().length() > ConfigSizeLimits.KEY) {
      throw new UserException(
          where + ": a key of more than " + ConfigSizeLimits.KEY + " characters");
    }
    return key;
  }

  /** Notes the line of each key. */
  private void note(Node node, String path, KeyOrigins origins, Set<Node> seen) {
    if (!seen.add(node)) {
      return;
    }
    String inside = path.isEmpty() ? "" : path + ".";
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        ScalarNode key = key(entry.getKeyNode());
        spaced(key, entry.getValueNode());
        origins.put(inside + key.getValue(), name + ":" + (key.getStartMark().getLine() + 1));
        note(entry.getValueNode(), inside + key.getValue(), origins, seen);
      }
    } else if (node instanceof SequenceNode list) {
      for (int i = 0; i < list.getValue().size(); i++) {
        note(list.getValue().get(i), inside + i, origins, seen);
      }
    }
  }

  /** Returns a copy with text keys and plain values only. */
  private @Nullable Object plain(@Nullable Object value, String path) {
    return switch (value) {
      case null -> null;
      case Map<?, ?> map -> within(map, path, () -> mapping(map, path));
      case List<?> list ->
          within(
              list,
              path,
              () -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(element -> copy.add(plain(element, path)));
                return copy;
              });
      case String text -> text;
      case Boolean flag -> flag;
      case Number number -> number;
      default ->
          throw new UserException(
              name + ": " + path + ": a value of this YAML type is not allowed here");
    };
  }

  private Map<String, @Nullable Object> mapping(Map<?, ?> map, String path) {
    Map<String, @Nullable Object> copy = new LinkedHashMap<>();
    map.forEach(
        (k, v) -> {
          String key = String.valueOf(k);
          if (copy.containsKey(key)) {
            throw new UserException(name + ": " + path + ": found duplicate key " + key);
          }
          copy.put(key, plain(v, path.isEmpty() ? key : path + "." + key));
        });
    return copy;
  }

  private Object within(Object value, String path, Supplier<Object> copy) {
    if (open.put(value, value) != null) {
      throw new UserException(name + ": " + path + ": an alias contains itself");
    }
    Object result = copy.get();
    open.remove(value);
    return result;
  }

  /** Converts composed YAML nodes to objects. */
  private static final class Trees extends SafeConstructor {
    Trees(LoaderOptions options) {
      super(options);
    }

    @Nullable Object tree(Node node) {
      return constructDocument(node);
    }
  }

  /** YAML resolver without dates: dates remain text, and so do values too long for a number. */
  private static final class NoDates extends Resolver {
    @Override
    public Tag resolve(NodeId kind, String value, boolean implicit) {
      return super.resolve(
          kind,
          value,
          implicit && (kind != NodeId.scalar || value.length() <= ConfigSizeLimits.NUMBER));
    }

    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
      addImplicitResolver(Tag.INT, INT, "-+0123456789");
      addImplicitResolver(Tag.FLOAT, FLOAT, "-+0123456789.");
      addImplicitResolver(Tag.MERGE, MERGE, "<");
      addImplicitResolver(Tag.NULL, NULL, "~nN\0");
      addImplicitResolver(Tag.NULL, EMPTY, null);
    }
  }
}
