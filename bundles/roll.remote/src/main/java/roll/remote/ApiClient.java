package roll.remote;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;

/**
 * Client of an HTTP API configured by options. Its key is sent as a bearer token, and never appears
 * in messages. Thread-safe.
 */
public final class ApiClient implements AutoCloseable {
  private static final double LONGEST = 86_400;
  private static final double LONGEST_PAUSE = 600;

  /** Option: base address of the API; required. */
  public static final Option<String> BASE_URL =
      Option.text("base_url", "address before /chat/completions");

  /** Option: API key; optional. */
  public static final Option<String> API_KEY =
      Option.text("api_key", "sent as bearer token; absent, nothing is sent");

  /** Timeout of a request in seconds. */
  public static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.001, LONGEST, "seconds that an answer may take").withDefault(60.0);

  /** Option: maximum number of retries. */
  public static final Option<Integer> MAX_RETRIES =
      Option.integer("max_retries", 0, 1000, "how often a request is sent again").withDefault(3);

  /** Delay before the first retry in seconds. */
  public static final Option<Double> RETRY_DELAY =
      Option.number("retry_delay", 0, LONGEST, "seconds before the first time, doubled each time")
          .withDefault(2.0);

  private final String asker;
  private final URI address;
  private final @Nullable String key;
  private final RetryingClient client;

  private ApiClient(String asker, URI address, @Nullable String key, RetryingClient.Limits limits) {
    this.asker = asker;
    this.address = address;
    this.key = key;
    this.client = new RetryingClient(limits);
  }

  /**
   * Creates a client from checked {@code options}, without sending anything.
   *
   * @param asker prefix of error messages
   * @param path path after {@code base_url}
   * @throws UserException if the address or the key is invalid
   */
  public static ApiClient of(String asker, String path, Options options) {
    RetryingClient.Limits limits =
        new RetryingClient.Limits(
            options.get(TIMEOUT),
            options.get(MAX_RETRIES),
            options.get(RETRY_DELAY),
            LONGEST_PAUSE);
    URI address =
        WebAddress.of(options.get(BASE_URL).replaceFirst("(?<!/)/+$", "") + path)
            .orElseThrow(
                () -> options.wrong(BASE_URL, "an address such as http://localhost:8000/v1"));
    String key = options.find(API_KEY).orElse(null);
    if (key != null && !key.matches("[!-~]+")) {
      throw options.wrong(API_KEY, "a text without spaces");
    }
    return new ApiClient(asker, address, key, limits);
  }

  /**
   * Posts {@code json}, and returns the answer.
   *
   * @throws RequestFailure if no attempt returned status 200
   * @throws InterruptedException if the thread was interrupted, which cancels the request
   */
  public String post(String json) throws RequestFailure, InterruptedException {
    Map<String, String> headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    return client.post(address, headers, json);
  }

  /** Returns an error for {@code failure} with the reason {@code said}, which may be empty. */
  public UserException complaint(RequestFailure failure, String said) {
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
