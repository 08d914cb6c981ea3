package roll.huggingface;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;

/**
 * The header of one safetensors file: 8 bytes of length, then JSON that gives each tensor's dtype,
 * shape and place. The rules are those of the reference reader ({@code tensor.rs}): names are
 * unique, tensors lie one after the other without gap or overlap and fill the file.
 */
final class SafetensorsHeader {
  private static final long LONGEST = 100_000_000;

  private final Path file;
  private final FileChannel channel;

  private SafetensorsHeader(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Returns the tensors of {@code file} in the order of their data; they are read from {@code
   * channel}, which must stay open.
   *
   * @throws UserException if the file is malformed
   */
  static Map<String, StoredTensor> read(Path file, FileChannel channel) throws IOException {
    return new SafetensorsHeader(file, channel).read();
  }

  private Map<String, StoredTensor> read() throws IOException {
    long size = channel.size();
    if (size < Long.BYTES) {
      throw wrong("is truncated: " + size + " bytes, not even a header length");
    }
    long length = ByteBuffer.wrap(bytes(0, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    if (length < 2 || length > LONGEST) {
      throw wrong(
          "has a header length of " + Long.toUnsignedString(length) + " (2 to " + LONGEST + ")");
    }
    if (length > size - Long.BYTES) {
      throw wrong("is truncated: its header has " + length + " bytes, the file " + size);
    }
    List<Place> places = places(bytes(Long.BYTES, (int) length));
    places.sort(Comparator.comparingLong(Place::begin).thenComparingLong(Place::end));
    return tensors(places, Long.BYTES + length, size - Long.BYTES - length);
  }

  private byte[] bytes(long at, int count) throws IOException {
    byte[] bytes = new byte[count];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new EOFException("it ends while it is read");
      }
    }
    return bytes;
  }

  private List<Place> places(byte[] header) {
    List<Place> places = new ArrayList<>();
    Set<String> names = new HashSet<>();
    try (JsonReader json = new JsonReader(text(header))) {
      json.setStrictness(Strictness.STRICT);
      json.beginObject();
      while (json.hasNext()) {
        String name = json.nextName();
        if (!names.add(name)) {
          throw wrong("names '" + name + "' twice");
        }
        if (name.equals("__metadata__")) {
          metadata(json);
        } else {
          places.add(place(json, name));
        }
      }
      json.endObject();
      if (json.peek() != JsonToken.END_DOCUMENT) {
        throw wrong("has text after its header");
      }
      return places;
    } catch (CharacterCodingException e) {
      throw wrong("has a header that is not UTF-8 text");
    } catch (IOException | IllegalStateException | NumberFormatException | JsonParseException e) {
      throw wrong("has a header that is not the JSON of a safetensors file: " + line(e));
    }
  }

  /** Returns a reader of the header, which fails for malformed UTF-8. */
  private static Reader text(byte[] header) {
    InputStream bytes = new ByteArrayInputStream(header);
    return new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder());
  }

  private void metadata(JsonReader json) throws IOException {
    json.beginObject();
    while (json.hasNext()) {
      String key = json.nextName();
      if (json.peek() != JsonToken.STRING) {
        throw wrong("has a __metadata__." + key + " that is not text");
      }
      json.skipValue();
    }
    json.endObject();
  }

  private Place place(JsonReader json, String name) throws IOException {
    TensorFormat format = null;
    long[] shape = null;
    long[] offsets = null;
    Set<String> fields = new HashSet<>();
    json.beginObject();
    while (json.hasNext()) {
      String field = json.nextName();
      if (!fields.add(field)) {
        throw wrong("gives '" + field + "' of tensor '" + name + "' twice");
      }
      switch (field) {
        case "dtype" -> format = format(name, json.nextString());
        case "shape" -> shape = numbers(json, name);
        case "data_offsets" -> offsets = numbers(json, name);
        default -> json.skipValue();
      }
    }
    json.endObject();
    if (format == null || shape == null || offsets == null || offsets.length != 2) {
      throw wrong("does not give dtype, shape and two data_offsets of tensor '" + name + "'");
    }
    return new Place(name, format, shape, offsets[0], offsets[1]);
  }

  private TensorFormat format(String name, String text) {
    for (TensorFormat format : TensorFormat.values()) {
      if (format.name().equals(text)) {
        return format;
      }
    }
    throw wrong("gives tensor '" + name + "' the unknown dtype '" + text + "'");
  }

  private long[] numbers(JsonReader json, String name) throws IOException {
    List<Long> numbers = new ArrayList<>();
    json.beginArray();
    while (json.hasNext()) {
      String text = json.peek() == JsonToken.NUMBER ? json.nextString() : "";
      if (!text.matches("[0-9]{1,18}")) {
        throw wrong("gives tensor '" + name + "' a dimension or offset that is not an integer");
      }
      numbers.add(Long.parseLong(text));
    }
    json.endArray();
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  private Map<String, StoredTensor> tensors(List<Place> places, long data, long length) {
    Map<String, StoredTensor> tensors = new LinkedHashMap<>();
    long next = 0;
    for (Place place : places) {
      String about = "tensor '" + place.name + "' at " + place.begin + " to " + place.end;
      if (place.end < place.begin || place.end > length) {
        throw wrong("is truncated or lies: " + about + ", the data have " + length + " bytes");
      }
      if (place.begin != next) {
        throw wrong(
            (place.begin < next ? "has overlapping tensors: " : "has a gap before ") + about);
      }
      long expected = place.expectedBytes();
      if (place.end - place.begin != expected) {
        throw wrong(
            "contradicts itself: "
                + about
                + (expected < 0 ? " has an impossible" : ", but " + expected + " bytes by its")
                + " shape "
                + Arrays.toString(place.shape));
      }
      List<Long> shape = Arrays.stream(place.shape).boxed().toList();
      tensors.put(
          place.name,
          StoredTensor.of(place.name, place.format, shape, file, channel, data + place.begin));
      next = place.end;
    }
    if (next != length) {
      throw wrong("has " + (length - next) + " bytes that belong to no tensor");
    }
    return tensors;
  }

  private UserException wrong(String what) {
    return new UserException(file + ": " + what);
  }

  private static String line(Exception e) {
    @Nullable String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }

  /** The header entry of a tensor; {@code begin} and {@code end} are relative to the data. */
  private record Place(String name, TensorFormat format, long[] shape, long begin, long end) {
    /** Returns the bytes by shape and format, −1 for impossible sizes. */
    long expectedBytes() {
      try {
        long product = format.bytes();
        for (long dimension : shape) {
          product = Math.multiplyExact(product, dimension);
        }
        return product;
      } catch (ArithmeticException e) {
        return -1;
      }
    }
  }
}
