package roll.env.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message.InlinePicture;
import roll.api.dataset.Row;
import roll.api.env.Observation;
import roll.api.image.Picture;
import roll.api.option.PlainFile;
import roll.api.option.UserException;

/**
 * The pictures of a row, in verl's format: a list of paths, or of mappings with {@code path} or
 * {@code bytes}. They are loaded when the episode begins.
 *
 * @param row the row
 * @param field their field
 * @param images files or encoded bytes
 */
record QuestionImages(Row row, ImageField field, List<Image> images) {
  /** The placeholder of a picture in a question. */
  static final String PLACE = "<image>";

  private static final String SCHEME = "file://";

  /** The source of a question's picture. */
  private sealed interface Image {}

  private record Stored(Path file) implements Image {}

  private record Encoded(String base64) implements Image {}

  /**
   * Returns the pictures in {@code field} of {@code row}; none if it is missing.
   *
   * @throws UserException if one is neither an existing file nor bytes
   */
  static QuestionImages of(Row row, ImageField field) {
    Object value = row.fields().get(field.name());
    List<Image> images = new ArrayList<>();
    for (Object one :
        value == null ? List.of() : value instanceof List<?> all ? all : List.of(value)) {
      images.add(image(row, field.name() + "[" + images.size() + "]", one));
    }
    return new QuestionImages(row, field, List.copyOf(images));
  }

  private static Image image(Row row, String where, Object value) {
    Object path = value;
    if (value instanceof Map<?, ?> map) {
      if (map.get("bytes") instanceof String bytes) {
        return new Encoded(bytes);
      }
      path = map.get("path") == null ? map.get("image") : map.get("path");
    }
    if (!(path instanceof String name)) {
      throw new UserException(
          "%s: %s: expected a path, or a mapping with 'path' or 'bytes' (in Base64)"
              .formatted(row.where(), where));
    }
    try {
      String plain = name.startsWith(SCHEME) ? name.substring(SCHEME.length()) : name;
      Path file = row.file().resolveSibling(plain);
      if (Files.isRegularFile(file)) {
        return new Stored(file);
      }
    } catch (InvalidPathException e) {
      // reported below
    }
    throw new UserException("%s: %s: there is no file '%s'".formatted(row.where(), where, name));
  }

  /**
   * Returns {@code question} without image placeholders.
   *
   * @throws UserException if the number of placeholders is neither 0 nor that of the pictures
   */
  String text(String question) {
    return images.isEmpty() ? question : String.join("", pieces(question));
  }

  /** Returns the text around the placeholders; pictures without placeholders come first. */
  private List<String> pieces(String question) {
    List<String> pieces = new ArrayList<>(List.of(question.split(PLACE, -1)));
    if (pieces.size() == 1) {
      images.forEach(image -> pieces.addFirst(""));
    }
    if (pieces.size() != images.size() + 1) {
      throw new UserException(
          "%s: the prompt has %d placeholders %s for %d pictures in '%s'"
              .formatted(row.where(), pieces.size() - 1, PLACE, images.size(), field.name()));
    }
    return pieces;
  }

  /**
   * Returns {@code question} as an observation with its pictures.
   *
   * @throws UserException if a picture cannot be read or decoded
   */
  Observation observation(String question) {
    if (images.isEmpty()) {
      return Observation.of(question);
    }
    StringBuilder text = new StringBuilder();
    List<InlinePicture> pictures = new ArrayList<>();
    List<String> pieces = pieces(question);
    for (int i = 0; i < images.size(); i++) {
      text.append(pieces.get(i));
      pictures.add(new InlinePicture(text.length(), read(i)));
    }
    return new Observation(text.append(pieces.getLast()).toString(), pictures);
  }

  private Picture read(int number) {
    String where = "%s: %s[%d]".formatted(row.where(), field.name(), number);
    Picture picture =
        switch (images.get(number)) {
          case Stored(Path file) -> Picture.of(bytes(where, file));
          case Encoded(String base64) -> Picture.of(bytes(where, base64));
        };
    if (picture.extension().equals("bin")) {
      throw new UserException(where + ": is not a picture (allowed: JPEG, PNG, GIF, WebP)");
    }
    return field.shrunk(where, picture);
  }

  private static byte[] bytes(String where, Path file) {
    try {
      return PlainFile.bytes(file);
    } catch (IOException e) {
      throw new UserException("%s: %s cannot be read".formatted(where, file), e);
    }
  }

  private static byte[] bytes(String where, String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new UserException(where + ": 'bytes' is not Base64", e);
    }
  }

  /** Returns the fields of the row, without the bytes of pictures. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>(row.fields());
    if (fields.get(field.name()) instanceof List<?> all) {
      fields.put(field.name(), all.stream().map(QuestionImages::named).toList());
    } else if (fields.get(field.name()) instanceof Map<?, ?> one) {
      fields.put(field.name(), named(one));
    }
    return fields;
  }

  private static Object named(@Nullable Object image) {
    if (!(image instanceof Map<?, ?> map)) {
      return String.valueOf(image);
    }
    Map<String, Object> named = new LinkedHashMap<>();
    map.forEach((name, value) -> named.put(String.valueOf(name), value));
    named.remove("bytes");
    return named;
  }
}
