package roll.huggingface;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.text.Suggestion;

/**
 * The tensors of a model folder: {@code model.safetensors}, or the shards that {@code
 * model.safetensors.index.json} lists. Headers are validated when files are opened; a malformed
 * file is refused in one line.
 *
 * <p>Owns the open files: no tensor can be read or mapped after {@link #close}, but existing
 * mappings live as long as their arena. Thread-safe.
 *
 * <p>Format: github.com/huggingface/safetensors, README "Format" and {@code tensor.rs}.
 */
public final class Safetensors implements AutoCloseable {
  /** The single weight file of a model folder. */
  public static final String SINGLE = "model.safetensors";

  /** Name of the index file of a sharded model. */
  public static final String INDEX = "model.safetensors.index.json";

  private final Path source;
  private final List<FileChannel> files = new ArrayList<>();
  private final Map<String, StoredTensor> tensors = new LinkedHashMap<>();

  private Safetensors(Path source) {
    this.source = source;
  }

  /**
   * Returns whether the model folder {@code folder} has weights.
   *
   * @throws UserException if weights are incomplete, or for a pickle file
   */
  public static boolean exist(Path folder) {
    if (Files.exists(folder.resolve(SINGLE)) || Files.exists(folder.resolve(INDEX))) {
      return true;
    }
    List<String> names;
    try (Stream<Path> files = Files.list(folder)) {
      names = files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UserException(folder + ": cannot be read (" + e.getMessage() + ")", e);
    }
    for (String name : names) {
      if (name.endsWith(".safetensors") && !name.startsWith("adapter_")) {
        throw new UserException(
            "%s: holds %s, but neither %s nor %s".formatted(folder, name, SINGLE, INDEX));
      }
    }
    names.stream()
        .filter(Safetensors::isPickle)
        .findFirst()
        .ifPresent(name -> refusePickle(folder.resolve(name)));
    return false;
  }

  /**
   * Opens the tensors of a model folder, of one safetensors file, or of an index file and its
   * shards.
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
    if (isPickle(file.toString())) {
      refusePickle(file);
    }
    Safetensors opened = new Safetensors(file);
    try {
      if (file.toString().endsWith(".json")) {
        opened.addShards();
      } else {
        opened.tensors.putAll(opened.read(file));
      }
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private Map<String, StoredTensor> read(Path file) {
    try {
      FileChannel channel = FileChannel.open(PlainFile.require(file));
      files.add(channel);
      return SafetensorsHeader.read(file, channel);
    } catch (IOException e) {
      throw new UserException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private void addShards() {
    Map<String, String> shardByTensor = SafetensorsIndex.read(source);
    for (String shard : new TreeSet<>(shardByTensor.values())) {
      Path file = source.resolveSibling(shard);
      if (!Files.exists(file)) {
        throw new UserException(source + ": shard '" + shard + "' does not exist");
      }
      for (StoredTensor tensor : read(file).values()) {
        if (!shard.equals(shardByTensor.get(tensor.name()))) {
          throw new UserException(
              "%s: holds tensor '%s', which %s assigns to another file"
                  .formatted(file, tensor.name(), INDEX));
        }
        tensors.put(tensor.name(), tensor);
      }
    }
    shardByTensor.forEach(
        (name, shard) -> {
          if (!tensors.containsKey(name)) {
            throw new UserException(
                source.resolveSibling(shard)
                    + ": lacks tensor '"
                    + name
                    + "' that the index lists");
          }
        });
  }

  /** Returns the file, or the index of the shards. */
  public Path source() {
    return source;
  }

  /** Returns all tensors by name, in the order of their data. */
  public Map<String, StoredTensor> tensors() {
    return Collections.unmodifiableMap(tensors);
  }

  /**
   * Returns the floating-point tensor {@code name}.
   *
   * @throws UserException if it is missing, has another shape, or is not F32, F16 or BF16
   */
  public StoredTensor require(String name, List<Integer> shape) {
    StoredTensor tensor = shaped(name, shape);
    if (!tensor.format().isFloat()) {
      throw wrong(tensor, "F32, F16, BF16");
    }
    return tensor;
  }

  /**
   * Returns the tensor of bytes {@code name}.
   *
   * @throws UserException if it is missing, has another shape, or is not U8
   */
  public StoredTensor requireBytes(String name, List<Integer> shape) {
    StoredTensor tensor = shaped(name, shape);
    if (tensor.format() != TensorFormat.U8) {
      throw wrong(tensor, "U8");
    }
    return tensor;
  }

  private UserException wrong(StoredTensor tensor, String allowed) {
    return new UserException(
        "%s: tensor '%s' has dtype %s (allowed: %s)"
            .formatted(source, tensor.name(), tensor.format(), allowed));
  }

  private StoredTensor shaped(String name, List<Integer> shape) {
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
    return tensor;
  }

  /** Closes the safetensors files. */
  @Override
  public void close() {
    for (FileChannel file : files) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static boolean isPickle(String name) {
    return Stream.of(".bin", ".pt", ".pth", ".ckpt", ".pkl").anyMatch(name::endsWith);
  }

  private static void refusePickle(Path file) {
    throw new UserException(
        file
            + ": pickle files are not read, because loading one can run any code; convert the"
            + " weights to safetensors");
  }
}
