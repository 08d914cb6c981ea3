package roll.torch;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import roll.api.config.Suggestion;
import roll.api.config.UserException;

/**
 * The tensors of a model folder, read from memory-mapped files: {@code model.safetensors}, or the
 * shards that {@code model.safetensors.index.json} lists. Everything a file says about itself is
 * checked when it is opened; a wrong one is refused with one line.
 *
 * <p>Owns the mappings: no tensor may be touched after {@link #close}. Safe for use by several
 * threads.
 *
 * <p>Format: github.com/huggingface/safetensors, README "Format" and {@code tensor.rs}.
 */
public final class Safetensors implements AutoCloseable {
  /** The file that holds a model in one piece. */
  public static final String SINGLE = "model.safetensors";

  /** The file that says which shard holds which tensor. */
  public static final String INDEX = "model.safetensors.index.json";

  private final Path source;
  private final Arena arena;
  private final Map<String, StoredTensor> tensors;

  private Safetensors(Path source, Arena arena, Map<String, StoredTensor> tensors) {
    this.source = source;
    this.arena = arena;
    this.tensors = Collections.unmodifiableMap(tensors);
  }

  /**
   * Whether {@code folder} holds weights.
   *
   * @throws UserException if it holds them only as a pickle file, which is refused
   */
  public static boolean exist(Path folder) {
    if (Files.exists(folder.resolve(SINGLE)) || Files.exists(folder.resolve(INDEX))) {
      return true;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files.filter(Safetensors::isPickle).sorted().findFirst().ifPresent(Safetensors::refusePickle);
      return false;
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  /**
   * The tensors of a model folder, of one safetensors file, or of an index file and its shards.
   *
   * @throws UserException if there are none or a file is malformed
   */
  public static Safetensors open(Path path) {
    Path file = path;
    if (Files.isDirectory(path)) {
      if (!exist(path)) {
        throw new UserException(path + ": no weights (neither " + SINGLE + " nor " + INDEX + ")");
      }
      file = path.resolve(SINGLE);
      file = Files.exists(file) ? file : path.resolve(INDEX);
    }
    if (isPickle(file)) {
      refusePickle(file);
    }
    Arena arena = Arena.ofShared();
    try {
      Map<String, StoredTensor> tensors =
          file.toString().endsWith(".json") ? shards(file, arena) : single(file, arena);
      return new Safetensors(file, arena, tensors);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static Map<String, StoredTensor> single(Path file, Arena arena) {
    try (FileChannel channel = FileChannel.open(file)) {
      MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      return SafetensorsHeader.read(file, bytes);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static Map<String, StoredTensor> shards(Path index, Arena arena) {
    Map<String, String> shardByTensor = SafetensorsIndex.read(index);
    Map<String, StoredTensor> all = new LinkedHashMap<>();
    for (String shard : new TreeSet<>(shardByTensor.values())) {
      Path file = index.resolveSibling(shard);
      if (!Files.exists(file)) {
        throw new UserException(index + ": shard '" + shard + "' does not exist");
      }
      for (StoredTensor tensor : single(file, arena).values()) {
        if (!shard.equals(shardByTensor.get(tensor.name()))) {
          throw new UserException(
              file
                  + ": holds tensor '"
                  + tensor.name()
                  + "', which "
                  + INDEX
                  + " places elsewhere");
        }
        all.put(tensor.name(), tensor);
      }
    }
    shardByTensor.forEach(
        (name, shard) -> {
          if (!all.containsKey(name)) {
            throw new UserException(
                index.resolveSibling(shard) + ": lacks tensor '" + name + "' that the index lists");
          }
        });
    return all;
  }

  /** All tensors by name, in the order of their data. */
  public Map<String, StoredTensor> tensors() {
    return tensors;
  }

  /**
   * The floating-point tensor {@code name}.
   *
   * @throws UserException if there is none, if it has another shape, or if it is not F32, F16 or
   *     BF16
   */
  public StoredTensor require(String name, List<Integer> shape) {
    StoredTensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new UserException(
          source + ": tensor '" + name + "' is missing" + Suggestion.near(name, tensors.keySet()));
    }
    List<Long> wanted = shape.stream().map(Integer::longValue).toList();
    if (!tensor.shape().equals(wanted)) {
      throw new UserException(
          source
              + ": tensor '"
              + name
              + "' has shape "
              + tensor.shape()
              + ", the model needs "
              + wanted);
    }
    if (!tensor.format().isFloat()) {
      throw new UserException(
          source
              + ": tensor '"
              + name
              + "' has dtype "
              + tensor.format()
              + " (allowed: F32, F16, BF16)");
    }
    return tensor;
  }

  /** Gives the mappings back. */
  @Override
  public void close() {
    arena.close();
  }

  private static boolean isPickle(Path file) {
    String name = file.toString();
    return Stream.of(".bin", ".pt", ".pth", ".ckpt", ".pkl").anyMatch(name::endsWith);
  }

  private static void refusePickle(Path file) {
    throw new UserException(
        file
            + ": pickle files are not read, because loading one can run any code; convert the"
            + " weights to safetensors");
  }
}
