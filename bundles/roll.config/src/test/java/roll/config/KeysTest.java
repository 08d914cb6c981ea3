package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import roll.config.dialect.Translation.How;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.ValueType;
import roll.config.verl.VerlKey;
import roll.config.verl.VerlTable;

/** Every accepted key is read, except those declared as without effect. */
class KeysTest {
  private static final Path SOURCES =
      Path.of(
          Objects.requireNonNull(System.getProperty("roll.root")),
          "bundles/roll.config/src/main/java/roll/config");

  /** Keys that are read with their last word appended. */
  private static final Set<String> COMPOSED =
      Set.of(
          "use_dynamic_batching_in_train",
          "use_dynamic_batching_in_infer",
          "max_tokens_per_microbatch_in_train",
          "max_tokens_per_microbatch_in_infer",
          "actor_rollout_ref.actor.clip_ratio_low",
          "actor_rollout_ref.actor.clip_ratio_high",
          "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu");

  /** Sections that are accepted with a notice, or refused, as a whole. */
  private static final Set<String> IDLE_SECTIONS = Set.of("router", "router_replay");

  @Test
  void everyTypedKeyIsRead() throws IOException {
    String source = source();
    Schema schema = new Schema();
    Set<String> unread = new TreeSet<>();
    for (String section : schema.sections()) {
      for (Key key : schema.section(section).values()) {
        boolean idle =
            key.type() instanceof ValueType.Sub sub && IDLE_SECTIONS.contains(sub.section());
        if (key.status() == Key.Status.SUPPORTED
            && !idle
            && !IDLE_SECTIONS.contains(section)
            && !COMPOSED.contains(key.name())
            && !source.contains("\"" + key.name() + "\"")) {
          unread.add(section + ": " + key.name());
        }
      }
    }
    assertEquals(Set.of(), unread);
  }

  /** Every used option of verl occurs in the source, by its path or the end of it. */
  @Test
  void everyOptionOfVerlIsRead() throws IOException {
    String source = source();
    List<String> unread =
        new VerlTable()
            .keys().stream()
                .filter(key -> key.how() == How.MADE)
                .map(VerlKey::path)
                .filter(path -> !COMPOSED.contains(path))
                .filter(path -> ends(path).noneMatch(source::contains))
                .toList();
    assertEquals(List.of(), unread);
  }

  /** A new key that does nothing is a decision, to be written down there. */
  @Test
  void whatDoesNothingIsListed() throws IOException {
    Set<String> idle = new TreeSet<>();
    Schema schema = new Schema();
    for (String section : schema.sections()) {
      schema.section(section).values().stream()
          .filter(key -> key.status() == Key.Status.NO_EFFECT)
          .forEach(key -> idle.add(key.name()));
    }
    new VerlTable()
        .keys().stream()
            .filter(key -> key.how() == How.NO_EFFECT)
            .forEach(key -> idle.add(key.path()));
    assertEquals(listed(), idle);
  }

  private static Set<String> listed() throws IOException {
    Set<String> keys = new TreeSet<>();
    try (InputStream in =
        Objects.requireNonNull(KeysTest.class.getResourceAsStream("accepted-keys.txt"))) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String place = line.substring(line.indexOf('[') + 1, line.indexOf(']'));
          String prefix = line.startsWith("verl") && !place.isEmpty() ? place + "." : "";
          for (String name : line.substring(line.indexOf("]: ") + 3).split(" ", -1)) {
            keys.add(prefix + name);
          }
        }
      }
    }
    return keys;
  }

  private static Stream<String> ends(String path) {
    return Stream.iterate(
            path, p -> !p.isEmpty(), p -> p.contains(".") ? p.substring(p.indexOf('.') + 1) : "")
        .flatMap(end -> Stream.of("\"" + end + "\"", "." + end + "\""));
  }

  private static String source() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files
          .filter(Files::isRegularFile)
          .sorted()
          .map(
              file -> {
                try {
                  return Files.readString(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .collect(Collectors.joining());
    }
  }
}
