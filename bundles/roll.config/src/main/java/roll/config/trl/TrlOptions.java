package roll.config.trl;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.dialect.Translation.How;
import roll.config.dialect.WrittenKeys;
import roll.config.schema.Schema;
import roll.config.schema.ValueType;
import roll.config.tree.YamlReader;
import roll.config.tree.YamlTree;
import roll.runtime.dialect.ConfigDraft;
import roll.text.Suggestion;

/** The keys of TRL's that were written, and the defaults of the others. */
final class TrlOptions implements WrittenKeys {
  private final TrlTrainer trainer;
  private final ConfigDraft draft;
  private final Map<String, TrlKey> keys;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Map<String, String> written = new LinkedHashMap<>();

  /**
   * Takes the keys of {@code trainer} out of {@code draft}, in which those of ours remain.
   *
   * @throws UserException for the first key that is unknown, wrong or not supported
   */
  TrlOptions(TrlTrainer trainer, ConfigDraft draft) {
    this.trainer = trainer;
    this.draft = draft;
    TrlTable table = new TrlTable();
    keys = table.of(trainer);
    Set<String> ours = new Schema().section(Schema.RUN).keySet();
    for (String name : List.copyOf(draft.tree().keySet())) {
      TrlKey key = keys.get(name);
      if (key != null) {
        take(key, draft.tree().remove(name));
      } else if (!table.trainers(name).isEmpty()) {
        TrlTrainer owner = table.trainers(name).iterator().next();
        throw new UserException(
            "%s: key '%s' is of trl %s, not of trl %s"
                .formatted(draft.where(name), name, owner.word(), trainer.word()));
      } else if (!ours.contains(name)) {
        throw new UserException(
            "%s: unknown key '%s' of trl %s%s"
                .formatted(
                    draft.where(name), name, trainer.word(), Suggestion.near(name, keys.keySet())));
      }
    }
    aliases();
  }

  private void take(TrlKey key, @Nullable Object found) {
    String name = key.name();
    if (found == null) {
      if (key.standard() != null && key.how() != How.NO_EFFECT) {
        throw new UserException(
            "%s: %s: null is not supported: write a value, such as TRL's default %s"
                .formatted(draft.where(name), name, YamlTree.shown(key.standard())));
      }
      return;
    }
    Object value = parsed(key, found);
    if (key.type() instanceof ValueType.Word words && words.later().contains(value)) {
      throw refused(name, value, key.text());
    }
    if (!key.type().accepts(value)) {
      throw wrong(name, key.type().allowed(), found);
    }
    boolean standard = YamlTree.same(value, key.standard());
    if (key.how() == How.LATER && !standard && !isEmpty(value)) {
      throw refused(name, value, key.text());
    }
    if (key.how() == How.NO_EFFECT && !standard) {
      draft.notice("key '" + name + "' has no effect here: " + key.text());
    }
    values.put(name, value);
    written.put(name, name);
  }

  private static boolean isEmpty(Object value) {
    return Boolean.FALSE.equals(value)
        || (value instanceof Map<?, ?> map && map.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
  }

  /** Reads texts as TRL's parser does: numbers, mappings in JSON, a text for a list of one. */
  private static Object parsed(TrlKey key, Object found) {
    if (key.type().accepts(found)) {
      return found;
    }
    if (found instanceof Boolean flag && key.type().accepts("no") && !flag) {
      return "no"; // of YAML 1.1
    }
    if (!(found instanceof String text)) {
      return found;
    }
    if (key.type().accepts(List.of(text))) {
      return List.of(text);
    }
    if (text.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)[eE][-+]?\\d+")) {
      return Double.valueOf(text);
    }
    Object read = text.startsWith("{") ? YamlReader.value(key.name(), text) : null;
    return read == null ? found : read;
  }

  private void aliases() {
    for (TrlKey key : keys.values()) {
      Object value = key.how() == How.ALIAS ? values.remove(key.name()) : null;
      if (value != null && values.putIfAbsent(key.ours(), value) == null) {
        written.put(key.ours(), key.name());
      }
    }
  }

  TrlTrainer trainer() {
    return trainer;
  }

  /** Returns all keys of the trainer. */
  Collection<TrlKey> keys() {
    return keys.values();
  }

  /** Adds a line for the user. */
  void notice(String line) {
    draft.notice(line);
  }

  /** Adds the line that {@code name}, if written, does nothing because of {@code reason}. */
  void idle(String name, String reason) {
    if (given(name)) {
      notice("key '%s' has no effect here: %s".formatted(written(name), reason));
    }
  }

  @Override
  public boolean given(String name) {
    return values.containsKey(name);
  }

  @Override
  public @Nullable Object value(String name) {
    TrlKey key = Objects.requireNonNull(keys.get(name), name);
    Object given = values.get(name);
    return given == null ? key.standard() : given;
  }

  /** Whether the trainer has the key {@code name}, and it a value. */
  boolean has(String name) {
    return keys.containsKey(name) && value(name) != null;
  }

  @Override
  public String written(String name) {
    return written.getOrDefault(name, name);
  }

  @Override
  public String where(String name) {
    return draft.where(written(name)) + ": " + written(name);
  }

  /** Returns the error that {@code name} is not what is {@code allowed}. */
  UserException wrong(String name, String allowed, @Nullable Object found) {
    TrlKey key = keys.get(name);
    return wrong(name, allowed, found, key == null ? null : key.type());
  }

  /** Returns the error that {@code value} of {@code name} cannot be had here. */
  UserException refused(String name, @Nullable Object value, String reason) {
    return new UserException(
        "%s: %s is not supported: %s"
            .formatted(
                where(name), YamlTree.shown(value), reason.isEmpty() ? "not built" : reason));
  }
}
