package roll.openai.request;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import roll.api.image.Picture;
import roll.api.option.UserException;
import roll.runtime.serving.PictureSettings;
import roll.runtime.vision.PictureTokens;

/** Collects the pictures of one request in the order of its messages. */
final class RequestPictures {
  private static final String DATA = "data:";

  private final PictureSettings allowed;
  private final PictureDownloader remote;
  private final List<Picture> shown = new ArrayList<>();

  /** Creates an empty collection of pictures within the limits {@code allowed}. */
  RequestPictures(PictureSettings allowed) {
    this.allowed = allowed;
    this.remote = new PictureDownloader(allowed.hosts());
  }

  /** Returns the pictures added to the request. */
  List<Picture> shown() {
    return List.copyOf(shown);
  }

  /** Escapes {@code text} so that no image token arises from it. */
  String guarded(String text) {
    PictureTokens tokens = allowed.tokens();
    return tokens == null ? text : tokens.guarded(text);
  }

  /**
   * Adds the picture of {@code part}, whose type is {@code image_url}.
   *
   * @throws ApiException if the model has no vision tower, there are too many pictures, or it is
   *     refused
   */
  void add(String where, JsonObject part) throws InterruptedException {
    PictureTokens tokens = allowed.tokens();
    if (tokens == null) {
      throw ApiException.invalid(where, "this model cannot see, it reads parts of type text only");
    }
    if (shown.size() >= allowed.most()) {
      throw ApiException.invalid(
          where, "at most " + allowed.most() + " pictures are allowed in a request");
    }
    String place = where + ".image_url.url";
    Picture picture = picture(place, url(where, part));
    try {
      tokens.check("the picture", picture);
    } catch (UserException e) {
      throw ApiException.invalid(place, e.getMessage());
    }
    shown.add(picture);
  }

  private static String url(String where, JsonObject part) {
    JsonElement image = part.get("image_url");
    JsonElement url = image instanceof JsonObject object ? object.get("url") : image;
    if (url instanceof JsonPrimitive text && text.isString()) {
      return text.getAsString();
    }
    throw ApiException.invalid(where + ".image_url", "expected an object with a url");
  }

  private Picture picture(String where, String url) throws InterruptedException {
    if (url.regionMatches(true, 0, DATA, 0, DATA.length())) {
      return data(where, url);
    }
    String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw ApiException.invalid(where, "expected a data URL with a picture in Base64");
    }
    try {
      return remote.fetch(URI.create(url));
    } catch (PictureDownloader.Refusal e) {
      throw ApiException.invalid(where, e.getMessage());
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(where, "expected a URL");
    }
  }

  private static Picture data(String where, String url) {
    int comma = url.indexOf(',');
    if (comma < 0 || !url.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(";base64")) {
      throw ApiException.invalid(
          where, "expected data:image/png;base64, and the picture in Base64");
    }
    try {
      return Picture.of(Base64.getMimeDecoder().decode(url.substring(comma + 1)));
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(where, "the picture is not valid Base64");
    }
  }
}
