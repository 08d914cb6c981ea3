package roll.config.verl;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.dialect.TranslatedKeys;
import roll.config.dialect.Translation.How;
import roll.config.dialect.WrittenKeys;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;

/** The options of verl and AgentFly that were written, and the defaults of the others. */
final class VerlOptions implements WrittenKeys {
  private static final String AGENT = "agent.";
  private static final String USE_AGENT = "agent.use_agent";

  /** Hydra's key of a class name, which has no effect here. */
  private static final String TARGET = "_target_";

  private final VerlTable table;
  private final ConfigDraft draft;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> written = new LinkedHashMap<>();
  private final Set<String> nulls = new HashSet<>();

  /**
   * Reads the verl options of {@code tree}, which has no other keys.
   *
   * @throws UserException for the first option that is unknown, wrong or not supported
   */
  VerlOptions(VerlTable table, Map<String, @Nullable Object> tree, ConfigDraft draft) {
    this.table = table;
    this.draft = draft;
    read(tree, "");
    aliases();
    withoutAgent();
  }

  private void read(Map<String, @Nullable Object> mapping, String path) {
    mapping.forEach(
        (word, value) -> {
          String at = path.isEmpty() ? word : path + "." + word;
          VerlKey key = table.get(at);
          if (key != null) {
            take(key, value);
          } else if (table.inside(at)) {
            Map<String, @Nullable Object> inner = YamlTree.mapping(value);
            if (inner != null) {
              read(inner, at);
            } else if (value != null) {
              throw wrong(at, "a mapping", value);
            }
          } else if (!word.equals(TARGET)) {
            throw new UserException(
                draft.where(at) + ": unknown option '" + at + "'" + table.near(at));
          }
        });
  }

  private void take(VerlKey key, @Nullable Object value) {
    String path = key.path();
    if (value == null) {
      nulls.add(path);
      return;
    }
    boolean empty = value instanceof Map<?, ?> map && map.isEmpty();
    boolean standard = empty || YamlTree.same(value, key.standard());
    if (key.how() == How.LATER && !standard) {
      throw new UserException(
          draft.where(path) + ": '" + path + "' is not supported: " + key.text());
    }
    if (!key.type().accepts(value)) {
      throw wrong(path, key.type().allowed(), value);
    }
    if (key.how() == How.NO_EFFECT && !standard) {
      draft.notice("key '" + path + "' has no effect here: " + key.text());
    }
    values.put(path, value);
    written.put(path, path);
  }

  /** Copies values of alias options to their options, unless these have values. */
  private void aliases() {
    for (VerlKey key : table.keys()) {
      Object value = key.how() == How.ALIAS ? values.remove(key.path()) : null;
      if (value == null) {
        continue;
      }
      Object before = values.putIfAbsent(key.ours(), value);
      if (before == null) {
        written.put(key.ours(), key.path());
      } else if (!YamlTree.same(before, value)) {
        draft.notice(
            "key '%s' gives way to '%s', which is %s"
                .formatted(key.path(), written.get(key.ours()), before));
      }
    }
  }

  /**
   * Removes the options of the agent that do not concern the model and its rewards, if there is no
   * agent.
   */
  private void withoutAgent() {
    if (!Boolean.FALSE.equals(values.get(USE_AGENT))) {
      return;
    }
    List<String> idle =
        values.keySet().stream()
            .filter(path -> path.startsWith(AGENT) && !path.equals(USE_AGENT))
            .filter(
                path ->
                    !path.matches(".*\\.(model_name_or_path|template|reward_name|system_prompt)"))
            .toList();
    for (String path : idle) {
      values.remove(path);
      draft.notice(
          "key '" + written.get(path) + "' has no effect here: " + USE_AGENT + " is false");
    }
  }

  /** Sets an option that others imply. */
  void set(String path, Object value) {
    values.put(path, value);
  }

  /** Whether any option that begins with {@code section} is set. */
  boolean givenIn(String section) {
    return values.keySet().stream().anyMatch(path -> path.startsWith(section));
  }

  /** Adds a line for the user. */
  void notice(String line) {
    draft.notice(line);
  }

  /** Whether this is a run of AgentFly: whether any option of {@code agent} is set. */
  boolean agent() {
    Object use = values.get(USE_AGENT);
    return use instanceof Boolean flag
        ? flag
        : values.keySet().stream().anyMatch(path -> path.startsWith(AGENT));
  }

  /**
   * Whether a critic is trained: by our key in {@code ours}, else if the estimator reads values.
   */
  boolean critic(TranslatedKeys ours) {
    return ours.at("critic.enable") instanceof Boolean enabled
        ? enabled
        : text("algorithm.adv_estimator").equals("gae") && !flag(VerlDistillation.ENABLED);
  }

  /** Whether the option was written as null, which here is its default but may differ in verl. */
  boolean isNull(String path) {
    return nulls.contains(path);
  }

  @Override
  public boolean given(String path) {
    return values.containsKey(path);
  }

  @Override
  public @Nullable Object value(String path) {
    VerlKey key = Objects.requireNonNull(table.get(path), path);
    return values.containsKey(path) ? values.get(path) : key.standard(agent());
  }

  /** Whether the option has its default value. */
  boolean standard(String path) {
    return YamlTree.same(value(path), Objects.requireNonNull(table.get(path), path).standard());
  }

  /** Whether the option has a value. */
  boolean has(String path) {
    return value(path) != null;
  }

  @Override
  public String written(String path) {
    return written.getOrDefault(path, path);
  }

  @Override
  public String where(String path) {
    return draft.where(written(path)) + ": " + written(path);
  }

  /** Returns the error that {@code path} is not what is {@code allowed}. */
  UserException wrong(String path, String allowed, @Nullable Object found) {
    VerlKey key = table.get(path);
    return wrong(path, allowed, found, key == null ? null : key.type());
  }
}
