package roll.sweep;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.runtime.sweep.SweptRun.State;

/**
 * The file {@code sweep.json}: the runs of a sweep and their states.
 *
 * @param command {@code train} or {@code sft}
 * @param config configuration file as given
 * @param keys swept keys
 * @param runs in the order of their first request
 */
record SweepRecord(String command, String config, List<String> keys, List<Entry> runs) {
  static final String FILE = "sweep.json";
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  /**
   * One run of the sweep with its state.
   *
   * @param folder name within the sweep folder
   * @param values by swept key
   * @param digest of the effective configuration
   * @param state of the run
   * @param problem reason of a failure, or null
   */
  record Entry(
      String folder,
      Map<String, String> values,
      String digest,
      State state,
      @Nullable String problem) {
    Combination combination() {
      return new Combination(values);
    }

    Entry in(State now, @Nullable String why) {
      return new Entry(folder, values, digest, now, why);
    }
  }

  SweepRecord {
    keys = List.copyOf(keys);
    runs = List.copyOf(runs);
  }

  /**
   * Reads the sweep record in {@code folder}.
   *
   * @throws UserException if there is no sweep, or its file is damaged
   */
  static SweepRecord read(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new UserException(
          Files.isDirectory(folder)
              ? folder + " contains no sweep: it has no " + FILE
              : "folder " + folder + " does not exist");
    }
    SweepRecord read;
    try {
      read = GSON.fromJson(Files.readString(file), SweepRecord.class);
    } catch (IOException e) {
      throw new UserException(file + " cannot be read: " + IoReason.of(e), e);
    } catch (RuntimeException e) { // of Gson, or of a constructor because of a missing member
      throw new UserException(damaged(file), e);
    }
    if (read == null || !read.whole()) {
      throw new UserException(damaged(file));
    }
    return read;
  }

  private static String damaged(Path file) {
    return file + " is damaged: it is not a record of a sweep";
  }

  /** Returns whether no member is missing; Gson sets missing members to null. */
  @SuppressWarnings("ConstantValue")
  private boolean whole() {
    return command != null
        && config != null
        && Set.of("train", "sft").contains(command)
        && runs.stream()
            .allMatch(
                run ->
                    run.folder() != null
                        && run.folder().matches("[^/\\\\]+")
                        && run.values() != null
                        && run.digest() != null
                        && run.state() != null);
  }

  /**
   * Writes the record into {@code folder} atomically.
   *
   * @throws UserException if it cannot be written
   */
  void write(Path folder) {
    Path file = folder.resolve(FILE);
    Path beside = folder.resolve("." + FILE + ".tmp");
    try {
      Files.deleteIfExists(beside);
      Files.writeString(beside, GSON.toJson(this) + "\n");
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UserException(file + " cannot be written: " + IoReason.of(e), e);
    }
  }

  /** Returns the run in {@code folder}, or null. */
  @Nullable Entry run(String folder) {
    return runs.stream().filter(run -> run.folder().equals(folder)).findFirst().orElse(null);
  }

  /** Returns the record with {@code run} replacing the one with its folder, or added. */
  SweepRecord with(Entry run) {
    Map<String, Entry> all = new LinkedHashMap<>();
    runs.forEach(other -> all.put(other.folder(), other));
    all.put(run.folder(), run);
    return new SweepRecord(command, config, keys, List.copyOf(all.values()));
  }
}
