package roll.config.trl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.config.schema.ValueType;
import roll.config.tree.YamlReader;
import roll.config.verl.VerlKey.How;

/** The table {@code trl.keys}: every key of TRL's files with its translation. */
public final class TrlTable {
  private final List<TrlKey> keys;

  /** Reads the table. */
  public TrlTable() {
    String file = "trl.keys";
    try (InputStream in = Objects.requireNonNull(TrlTable.class.getResourceAsStream(file), file)) {
      keys =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(TrlTable::key)
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns every key, in the order of the table. */
  public Collection<TrlKey> keys() {
    return keys;
  }

  /** Returns the keys of the files of {@code trainer} by name. */
  Map<String, TrlKey> of(TrlTrainer trainer) {
    Map<String, TrlKey> own = new LinkedHashMap<>();
    keys.stream()
        .filter(key -> key.trainers().contains(trainer))
        .forEach(key -> own.put(key.name(), key));
    return own;
  }

  /** Returns the trainers whose files have the key {@code name}. */
  Set<TrlTrainer> trainers(String name) {
    return keys.stream()
        .filter(key -> key.name().equals(name))
        .flatMap(key -> key.trainers().stream())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(TrlTrainer.class)));
  }

  private static TrlKey key(String line) {
    String[] columns = line.split("\\|", 6);
    String name = columns[1].strip();
    String how = columns[5].strip();
    int colon = how.indexOf(':');
    return new TrlKey(
        trainers(columns),
        name,
        ValueType.parse(columns[2].strip()),
        standard(name, columns[3].strip()),
        columns[4].strip(),
        switch (colon < 0 ? how : how.substring(0, colon)) {
          case "" -> How.COPIED;
          case "made" -> How.MADE;
          case "alias" -> How.ALIAS;
          case "none" -> How.NO_EFFECT;
          case "later" -> How.LATER;
          default -> throw new IllegalArgumentException("unknown status '" + how + "'");
        },
        colon < 0 ? "" : how.substring(colon + 1).strip());
  }

  private static @Nullable Object standard(String name, String written) {
    return YamlReader.value("default of " + name, written);
  }

  private static Set<TrlTrainer> trainers(String[] columns) {
    String words = columns[0].strip();
    return words.equals("*")
        ? EnumSet.allOf(TrlTrainer.class)
        : Arrays.stream(words.split(" "))
            .map(word -> TrlTrainer.valueOf(word.toUpperCase(Locale.ROOT)))
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(TrlTrainer.class)));
  }
}
