package roll.huggingface;

import com.google.gson.FormattingStyle;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes safetensors files as the reference writer does: metadata {@code format: pt}, tensors
 * sorted by width and name, the header padded with spaces to a multiple of 8 bytes. Each file is
 * written atomically: to a temporary file, synced, and renamed.
 */
public final class SafetensorsWriter {
  /** Default maximum bytes of tensors in a shard, as in transformers. */
  public static final long SHARD_BYTES = 5_000_000_000L;

  private static final int CHUNK = 1 << 22;
  private static final Pattern SHARD = Pattern.compile("model-\\d{5}-of-\\d{5}\\.safetensors");

  private SafetensorsWriter() {}

  /**
   * Writes a model into {@code folder}: {@code model.safetensors}, or shards with an index where it
   * is larger than {@code shardBytes}. Weight files of the other kind, or of another number of
   * shards, are removed afterward.
   *
   * @param format number format of the files; F32 tensors are rounded to it
   */
  public static void writeModel(
      Path folder, Collection<StoredTensor> tensors, TensorFormat format, long shardBytes)
      throws IOException {
    List<List<StoredTensor>> shards = shards(tensors, format, shardBytes);
    Set<String> written = new HashSet<>();
    Map<String, String> weightMap = new TreeMap<>();
    long weights = 0;
    for (int i = 0; i < shards.size(); i++) {
      String name =
          shards.size() == 1
              ? Safetensors.SINGLE
              : "model-%05d-of-%05d.safetensors".formatted(i + 1, shards.size());
      write(folder.resolve(name), shards.get(i), format);
      written.add(name);
      for (StoredTensor tensor : shards.get(i)) {
        weightMap.put(tensor.name(), name);
        weights += tensor.size();
      }
    }
    if (shards.size() > 1) {
      writeIndex(folder, weightMap, weights, format);
      written.add(Safetensors.INDEX);
    }
    removeOthers(folder, written);
  }

  private static void writeIndex(
      Path folder, Map<String, String> weightMap, long weights, TensorFormat format)
      throws IOException {
    Map<String, Object> metadata = new TreeMap<>();
    metadata.put("total_parameters", weights);
    metadata.put("total_size", weights * format.bytes());
    Gson gson =
        new GsonBuilder().setFormattingStyle(FormattingStyle.PRETTY).disableHtmlEscaping().create();
    String text =
        gson.toJson(new TreeMap<>(Map.of("metadata", metadata, "weight_map", weightMap))) + "\n";
    replace(
        folder.resolve(Safetensors.INDEX),
        channel -> writeAll(channel, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))));
  }

  /** Removes other weight files, the single file first, since readers prefer it to an index. */
  private static void removeOthers(Path folder, Set<String> written) throws IOException {
    for (String name : List.of(Safetensors.SINGLE, Safetensors.INDEX)) {
      if (!written.contains(name)) {
        Files.deleteIfExists(folder.resolve(name));
      }
    }
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.toList();
    }
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (SHARD.matcher(name).matches() && !written.contains(name)) {
        Files.delete(file);
      }
    }
  }

  /** Writes {@code tensors} into one file, stored as {@code format}. */
  public static void write(Path file, Collection<StoredTensor> tensors, TensorFormat format)
      throws IOException {
    List<StoredTensor> sorted = new ArrayList<>(tensors);
    sorted.sort(Comparator.comparing(StoredTensor::name));
    byte[] header = header(sorted, format);
    replace(
        file,
        channel -> {
          ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
          writeAll(channel, length.putLong(header.length).flip());
          writeAll(channel, ByteBuffer.wrap(header));
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = arena.allocate(CHUNK);
            for (StoredTensor tensor : sorted) {
              writeTensor(channel, tensor, format, chunk);
            }
          }
        });
  }

  private static byte[] header(List<StoredTensor> tensors, TensorFormat format) throws IOException {
    StringWriter text = new StringWriter();
    JsonWriter json = new JsonWriter(text);
    json.beginObject();
    json.name("__metadata__").beginObject().name("format").value("pt").endObject();
    long offset = 0;
    for (StoredTensor tensor : tensors) {
      json.name(tensor.name()).beginObject().name("dtype").value(format.name());
      json.name("shape").beginArray();
      for (long dimension : tensor.shape()) {
        json.value(dimension);
      }
      json.endArray().name("data_offsets").beginArray().value(offset);
      offset += tensor.size() * format.bytes();
      json.value(offset).endArray().endObject();
    }
    json.endObject();
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    String padding = " ".repeat((8 - bytes.length % 8) % 8);
    return (text + padding).getBytes(StandardCharsets.UTF_8);
  }

  private static void writeTensor(
      FileChannel channel, StoredTensor tensor, TensorFormat format, MemorySegment chunk)
      throws IOException {
    long step = chunk.byteSize() / format.bytes();
    for (long first = 0; first < tensor.size(); first += step) {
      long count = Math.min(step, tensor.size() - first);
      MemorySegment part = chunk.asSlice(0, count * format.bytes());
      tensor.writeFloats(first, format, part);
      writeAll(channel, part.asByteBuffer());
    }
  }

  /**
   * Assigns tensors in their order to shards; a tensor larger than a shard gets its own, and the
   * others continue as if it were absent ({@code split_state_dict_into_shards_factory} of
   * huggingface_hub).
   */
  private static List<List<StoredTensor>> shards(
      Collection<StoredTensor> tensors, TensorFormat format, long shardBytes) {
    List<List<StoredTensor>> shards = new ArrayList<>();
    List<StoredTensor> current = new ArrayList<>();
    long bytes = 0;
    for (StoredTensor tensor : tensors) {
      long more = tensor.size() * format.bytes();
      if (more > shardBytes) {
        shards.add(List.of(tensor));
        continue;
      }
      if (bytes + more > shardBytes) {
        shards.add(current);
        current = new ArrayList<>();
        bytes = 0;
      }
      current.add(tensor);
      bytes += more;
    }
    if (!current.isEmpty()) {
      shards.add(current);
    }
    return shards;
  }

  private static void replace(Path file, Writing writing) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      try (FileChannel channel =
          FileChannel.open(
              beside,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writing.to(channel);
        channel.force(true);
      }
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Writes the content of a new file. */
  private interface Writing {
    void to(FileChannel channel) throws IOException;
  }
}
