package roll.tracking.opentelemetry;

import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.export.HttpResponse;

/** Why a request of an exporter failed, in a few words. */
final class HttpFailure {
  private HttpFailure() {}

  /** Returns the status of the response, or the exception. */
  static String reason(Throwable failure) {
    HttpResponse response = failure instanceof HttpExportException http ? http.getResponse() : null;
    if (response != null) {
      return "status " + response.getStatusCode();
    }
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
