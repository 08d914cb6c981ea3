package roll.openai.request;

import com.google.gson.JsonObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A refused request, with the fields of OpenAI's error object. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String INVALID = "invalid_request_error";
  private static final int LONGEST = 500;

  private final int status;
  private final String type;
  private final @Nullable String parameter;
  private final @Nullable String code;

  /**
   * Creates a refusal.
   *
   * @param parameter the wrong parameter, or null
   * @param code error code for programs, or null
   */
  public ApiException(
      int status, String type, String message, @Nullable String parameter, @Nullable String code) {
    super(shortened(message), null, false, false);
    this.status = status;
    this.type = type;
    this.parameter = parameter;
    this.code = code;
  }

  /** Shortens {@code message}, which may quote the request. */
  private static String shortened(String message) {
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "…";
  }

  /** Returns the refusal with status 400: {@code parameter} is wrong. */
  public static ApiException wrong(String parameter, String message) {
    return new ApiException(400, INVALID, message, parameter, null);
  }

  /**
   * Returns the refusal with status 400: {@code parameter}, or the named part of it, has {@code
   * problem}.
   */
  public static ApiException invalid(String parameter, String problem) {
    return wrong(parameter, "Invalid '" + parameter + "': " + problem + ".");
  }

  /** Status 400: the prompt has more tokens than the model's context. */
  public static ApiException tooLong(String parameter, int tokens, int longest) {
    String message =
        "This model's maximum context length is %d tokens. However, your %s resulted in %d tokens."
            .formatted(longest, parameter, tokens);
    return new ApiException(400, INVALID, message, parameter, "context_length_exceeded");
  }

  /** Status 400: the prompt has more bytes than the model's context can have. */
  static ApiException tooLong(String parameter, long bytes, int longest, int maxTokenBytes) {
    String message =
        "This model's maximum context length is %d tokens, for each of which %d bytes are read at most. However, your %s have %d bytes."
            .formatted(longest, maxTokenBytes, parameter, bytes);
    return new ApiException(400, INVALID, message, parameter, "context_length_exceeded");
  }

  /**
   * Returns the refusal with status 400: there are more {@code things} than the model's context has
   * tokens.
   */
  public static ApiException tooMany(String parameter, int things, int longest) {
    String message =
        "This model's maximum context length is %d tokens. However, there are %d %s."
            .formatted(longest, things, parameter);
    return new ApiException(400, INVALID, message, parameter, "context_length_exceeded");
  }

  /** Another HTTP status than 400. */
  public static ApiException status(int status, String message, @Nullable String code) {
    return new ApiException(status, INVALID, message, null, code);
  }

  /** Status 404: nothing is at {@code path}. */
  public static ApiException unknownPath(String path) {
    return status(404, "Unknown request URL: " + path + ".", "unknown_url");
  }

  /**
   * Status 400: the conversation has no room left or has ended; {@code reason} is the error code.
   */
  public static ApiException ended(String parameter, String message, String reason) {
    return new ApiException(400, INVALID, message, parameter, reason);
  }

  /** Status 429: too many concurrent requests. */
  public static ApiException busy(int most) {
    String message = "This server works on " + most + " requests at once; try again later.";
    return new ApiException(429, "rate_limit_error", message, null, "rate_limit_exceeded");
  }

  /** Status 500: a failure of this server. */
  public static ApiException failed() {
    String message = "The server had an error while processing your request.";
    return new ApiException(500, "server_error", message, null, null);
  }

  /** Returns the HTTP status of the API exception. */
  public int status() {
    return status;
  }

  /** Returns the error code for programs, or null. */
  public @Nullable String code() {
    return code;
  }

  @Override
  public String getMessage() {
    return Objects.requireNonNull(super.getMessage());
  }

  /** Returns the body of the answer in OpenAI's form. */
  public JsonObject json() {
    JsonObject error = new JsonObject();
    error.addProperty("message", getMessage());
    error.addProperty("type", type);
    error.addProperty("param", parameter);
    error.addProperty("code", code);
    JsonObject json = new JsonObject();
    json.add("error", error);
    return json;
  }
}
