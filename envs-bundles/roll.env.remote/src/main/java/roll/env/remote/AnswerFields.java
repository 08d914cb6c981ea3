package roll.env.remote;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import roll.bridge.PeerException;

/** Fields of an answer; one of the wrong type fails the episode. */
record AnswerFields(JsonObject answer) {
  private static final int SHOWN = 60;

  /** Returns the text {@code name}, or {@code absent} if it is missing. */
  String text(String name, String absent) {
    JsonElement value = value(name);
    if (value == null) {
      return absent;
    }
    if (value instanceof JsonPrimitive text && text.isString()) {
      return text.getAsString();
    }
    throw wrong(name, value, "a text");
  }

  /** Returns the text {@code name}, if present. */
  Optional<String> text(String name) {
    return value(name) == null ? Optional.empty() : Optional.of(text(name, ""));
  }

  /** Returns the number {@code name}, or 0 if it is missing. */
  double number(String name) {
    JsonElement value = value(name);
    return value == null ? 0 : number(name, value);
  }

  private static double number(String name, JsonElement value) {
    if (value instanceof JsonPrimitive given) {
      if (given.isBoolean()) {
        return given.getAsBoolean() ? 1 : 0;
      }
      // NaN and Infinity, which JSON lacks, come as words; what is done with them is not ours to
      // say
      if (given.isNumber() || given.getAsString().matches("NaN|-?Infinity")) {
        return given.getAsDouble();
      }
    }
    throw wrong(name, value, "a number");
  }

  /** Returns the boolean {@code name}, or false if it is missing. */
  boolean flag(String name) {
    JsonElement value = value(name);
    if (value == null) {
      return false;
    }
    if (value instanceof JsonPrimitive flag && flag.isBoolean()) {
      return flag.getAsBoolean();
    }
    throw wrong(name, value, "true or false");
  }

  /** Returns the list of texts {@code name}, or an empty one if it is missing. */
  List<String> texts(String name) {
    JsonElement value = value(name);
    if (value == null) {
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    for (JsonElement one : value instanceof JsonArray array ? array : wrongList(name, value)) {
      if (!(one instanceof JsonPrimitive text && text.isString())) {
        throw wrong(name, value, "a list of texts");
      }
      texts.add(text.getAsString());
    }
    return texts;
  }

  private static JsonArray wrongList(String name, JsonElement value) {
    throw wrong(name, value, "a list of texts");
  }

  /** Returns the mapping {@code name}, or an empty one if it is missing. */
  JsonObject mapping(String name) {
    JsonElement value = value(name);
    if (value == null) {
      return new JsonObject();
    }
    if (value instanceof JsonObject mapping) {
      return mapping;
    }
    throw wrong(name, value, "a mapping");
  }

  /** Returns the numbers in the mapping {@code name}. */
  Map<String, Double> numbers(String name) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    mapping(name)
        .entrySet()
        .forEach(
            entry ->
                numbers.put(entry.getKey(), number(name + "." + entry.getKey(), entry.getValue())));
    return numbers;
  }

  /** Decodes the picture {@code name}, a PNG or JPEG file in Base64, if present. */
  Optional<BufferedImage> picture(String name) {
    JsonElement value = value(name);
    if (value == null) {
      return Optional.empty();
    }
    try {
      byte[] file =
          Base64.getDecoder().decode(value instanceof JsonPrimitive text ? text.getAsString() : "");
      BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
      if (image != null) {
        return Optional.of(image);
      }
    } catch (IOException | IllegalArgumentException e) {
      // said below
    }
    throw wrong(name, value, "a PNG or JPEG file in Base64");
  }

  private @Nullable JsonElement value(String name) {
    JsonElement value = answer.get(name);
    return value == null || value.isJsonNull() ? null : value;
  }

  private static PeerException wrong(String name, JsonElement value, String allowed) {
    String found = value.toString();
    return PeerException.refused(
        "the answer's %s is %s; it must be %s"
            .formatted(
                name, found.length() > SHOWN ? found.substring(0, SHOWN) + " …" : found, allowed));
  }
}
