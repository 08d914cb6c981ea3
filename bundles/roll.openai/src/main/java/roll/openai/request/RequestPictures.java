package roll.openai.request;

import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

  /** Creates a collection within the limits {@code allowed} that begins with {@code before}. */
  RequestPictures(PictureSettings allowed, List<Picture> before) {
    this.allowed = allowed;
    this.shown.addAll(before);
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
   * Checks that the request may have one more picture.
   *
   * @throws ApiException if the model has no vision tower, or there are too many pictures
   */
  void expect(String where) {
    if (allowed.tokens() == null) {
      throw ApiException.invalid(where, "this model cannot see, it reads parts of type text only");
    }
    if (shown.size() >= allowed.most()) {
      throw ApiException.invalid(
          where, "at most " + allowed.most() + " pictures are allowed in a request");
    }
  }

  /**
   * Adds the picture at {@code url}.
   *
   * @throws ApiException if it is refused
   */
  void add(String where, String url) throws InterruptedException {
    Picture picture = picture(where, url);
    try {
      Objects.requireNonNull(allowed.tokens()).check("the picture", picture);
    } catch (UserException e) {
      throw ApiException.invalid(where, e.getMessage());
    }
    shown.add(picture);
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
