package roll.config.roll;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;
import roll.text.Suggestion;

/**
 * A file of one of ROLL's pipelines, whose keys are moved to ours. Values of a wrong type are moved
 * too, and refused by the schema.
 *
 * @param pipeline whose file it is
 */
record PipelineFile(ConfigDraft draft, RollPipeline pipeline) {
  private static final List<String> TEMPLATES = List.of("native", "qwen2_5", "qwen3", "chatml");

  /** Returns the error for {@code path}, which cannot be translated. */
  UserException wrong(String path, String problem) {
    return draft.wrong(path, "%s (a file of ROLL's %s)".formatted(problem, pipeline.title()));
  }

  /** Returns the value at {@code path}, or null. */
  @Nullable Object get(String path) {
    return YamlTree.at(draft.tree(), path);
  }

  /** Returns the list of texts at {@code path}, empty if there is none. */
  List<String> texts(String path) {
    Object value = get(path);
    List<@Nullable Object> list = YamlTree.list(value == null ? List.of() : value);
    if (list == null) {
      throw wrong(path, "expected a list of texts, found " + YamlTree.shown(value));
    }
    return list.stream().map(String::valueOf).toList();
  }

  /** Removes the value at {@code path} and returns it, or null. */
  @Nullable Object take(String path) {
    int dot = path.lastIndexOf('.');
    Map<String, @Nullable Object> owner =
        dot < 0 ? draft.tree() : YamlTree.mapping(get(path.substring(0, dot)));
    return owner == null ? null : owner.remove(path.substring(dot + 1));
  }

  /** Sets {@code path}, whose mappings are created, to {@code value}. */
  void put(String path, @Nullable Object value) {
    List<String> keys = YamlTree.keys(path);
    Map<String, @Nullable Object> owner = draft.tree();
    for (String key : keys.subList(0, keys.size() - 1)) {
      owner.computeIfAbsent(key, _ -> new LinkedHashMap<String, @Nullable Object>());
      owner = mapping(owner.get(key), path.substring(0, path.lastIndexOf('.')));
    }
    owner.put(keys.getLast(), value);
  }

  private Map<String, @Nullable Object> mapping(@Nullable Object value, String path) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
    if (mapping == null) {
      throw wrong(path, "expected a mapping, found " + YamlTree.shown(value));
    }
    return mapping;
  }

  /** Moves the value at {@code from}, or {@code standard} if there is none, to {@code to}. */
  void move(String from, String to, @Nullable Object standard) {
    Object value = take(from);
    give(from, to, value == null ? standard : value, value != null);
  }

  /**
   * Sets {@code to} to {@code value}, what {@code from} means, unless a value of ours is there.
   *
   * @param written whether {@code from} is given; otherwise it has its default
   * @throws UserException if both are given
   */
  void give(String from, String to, @Nullable Object value, boolean written) {
    boolean ours = get(to) != null;
    if (ours && written) {
      throw wrong(from, "sets the same value as %s: keep one of them".formatted(to));
    }
    if (!ours && value != null) {
      moved(from, to, value);
      put(to, value);
    }
  }

  /** Records that what is in {@code value} was written at {@code from}. */
  private void moved(String from, String to, @Nullable Object value) {
    draft.moved().accept(to, from);
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
    if (mapping != null) {
      mapping.forEach((key, inner) -> moved(from + "." + key, to + "." + key, inner));
    }
  }

  /** Removes {@code path}, with a notice if its value is not {@code idle}. */
  void drop(String path, @Nullable Object idle, String reason) {
    Object value = take(path);
    if (value != null && !YamlTree.same(value, idle)) {
      draft.notice("key '%s' has no effect here: %s".formatted(path, reason));
    }
  }

  /**
   * Removes {@code path} with the value {@code idle}, with which it does nothing.
   *
   * @throws UserException if it has another value
   */
  void refuse(String path, @Nullable Object idle, String reason) {
    Object value = get(path);
    if (value != null && !YamlTree.same(value, idle)) {
      throw wrong(path, YamlTree.shown(value) + " is not supported: " + reason);
    }
    take(path);
  }

  /**
   * Removes the mapping {@code path}, what was needed of which has been moved.
   *
   * @throws UserException if it has another key than {@code known}
   */
  void end(String path, Set<String> known) {
    Object rest = take(path);
    for (String key : rest == null ? Set.<String>of() : mapping(rest, path).keySet()) {
      if (!known.contains(key)) {
        String at = path + "." + key;
        throw new UserException(
            "%s: unknown key '%s'%s".formatted(draft.where(at), at, Suggestion.near(key, known)));
      }
    }
  }

  /**
   * Reads the chat template of ROLL's role {@code from}, or {@code global_template}, as that of our
   * role {@code to}: the model folder's, with no other variables than ROLL's, or ChatML.
   */
  void template(String from, String to) {
    Object global = take("global_template");
    String own = from + ".data_args.template";
    Object found = take(own);
    template(
        global != null ? "global_template" : own,
        String.valueOf(global != null ? global : found != null ? found : "native"),
        to);
  }

  /** Gives our role {@code to} the chat template that {@code path} calls {@code name}. */
  void template(String path, String name, String to) {
    if (!TEMPLATES.contains(name)) {
      throw wrong(
          path, "expected one of %s, found '%s'".formatted(String.join(", ", TEMPLATES), name));
    }
    Map<String, @Nullable Object> variables = new LinkedHashMap<>();
    if (name.equals("qwen3")) {
      variables.put("enable_thinking", true);
    }
    put(to + ".data_args.template", name.equals("chatml") ? name : "native");
    if (get(to + ".data_args.chat_template_kwargs") == null) {
      put(to + ".data_args.chat_template_kwargs", variables);
    }
  }
}
