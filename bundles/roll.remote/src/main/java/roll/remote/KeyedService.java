package roll.remote;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * A service as options tell of it: {@code base_url}, {@code timeout}, {@code max_retries}, {@code
 * retry_delay}, and {@code api_key}, which may be absent; it is sent as a bearer token and is never
 * in a message. Called from many threads at once.
 */
public final class KeyedService implements AutoCloseable {
  private static final double LONGEST = 86_400;
  private static final double LONGEST_PAUSE = 600;

  private final String asker;
  private final URI address;
  private final @Nullable String key;
  private final PatientClient client;

  private KeyedService(
      String asker, URI address, @Nullable String key, PatientClient.Limits limits) {
    this.asker = asker;
    this.address = address;
    this.key = key;
    this.client = new PatientClient(limits);
  }

  /**
   * The service of {@code options}, which have all of the above; nothing is sent yet.
   *
   * @param asker who asks it, as complaints begin
   * @param path what follows {@code base_url}
   * @throws UserException if a value is out of range
   */
  public static KeyedService of(String asker, String path, Options options) {
    PatientClient.Limits limits =
        new PatientClient.Limits(
            options.number("timeout", 0.001, LONGEST),
            options.integer("max_retries", 0, 1000),
            options.number("retry_delay", 0, LONGEST),
            LONGEST_PAUSE);
    URI address =
        WebAddress.of(options.text("base_url").replaceFirst("/+$", "") + path)
            .orElseThrow(
                () -> options.wrong("base_url", "an address such as http://localhost:8000/v1"));
    String key = options.has("api_key") ? options.text("api_key") : null;
    if (key != null && !key.matches("[!-~]+")) {
      throw options.wrong("api_key", "a text without spaces");
    }
    return new KeyedService(asker, address, key, limits);
  }

  /**
   * What it answers to {@code json}.
   *
   * @throws PostFailure if there is no answer of status 200, after all tries
   * @throws InterruptedException if the thread was interrupted; the request is given up
   */
  public String post(String json) throws PostFailure, InterruptedException {
    Map<String, String> headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    return client.post(address, headers, json);
  }

  /** The line that tells of {@code failure}, for the reason {@code said}, which may be empty. */
  public UserException complaint(PostFailure failure, String said) {
    String line = address + " " + failure.told(hidden(said));
    return new UserException(asker + ": " + hidden(line));
  }

  private String hidden(String text) {
    return key == null ? text : text.replace(key, "…");
  }

  @Override
  public void close() {
    client.close();
  }
}
