package roll.agent.openai;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Base64;
import java.util.List;
import roll.api.data.Message.Part;
import roll.api.image.Picture;

/** Converts the content of a message to the form of the protocol. */
final class ContentParts {
  private ContentParts() {}

  /** Returns a string without pictures, otherwise a list of texts and pictures in order. */
  static JsonElement of(List<Part> parts) {
    if (parts.stream().allMatch(Part.Text.class::isInstance)) {
      StringBuilder text = new StringBuilder();
      parts.forEach(part -> text.append(part instanceof Part.Text(String said) ? said : ""));
      return new JsonPrimitive(text.toString());
    }
    JsonArray content = new JsonArray();
    parts.forEach(part -> content.add(json(part)));
    return content;
  }

  private static JsonObject json(Part part) {
    JsonObject json = new JsonObject();
    switch (part) {
      case Part.Text(String text) -> {
        json.addProperty("type", "text");
        json.addProperty("text", text);
      }
      case Part.Shown(Picture picture) -> {
        JsonObject place = new JsonObject();
        place.addProperty("url", url(picture));
        json.addProperty("type", "image_url");
        json.add("image_url", place);
      }
    }
    return json;
  }

  private static String url(Picture picture) {
    String type =
        switch (picture.extension()) {
          case "jpg" -> "image/jpeg";
          case "bin" -> "application/octet-stream";
          case String extension -> "image/" + extension;
        };
    return "data:" + type + ";base64," + Base64.getEncoder().encodeToString(picture.data());
  }
}
