package roll.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Sends Jetty's own refusals, such as of malformed HTTP, in the service's format. */
final class JettyErrorHandler extends ErrorHandler {
  private final HttpService service;

  JettyErrorHandler(HttpService service) {
    this.service = service;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    String message = HttpStatus.getMessage(status);
    if (request.getAttribute(ERROR_EXCEPTION) instanceof HttpException problem) {
      // an unknown version or encoding is the client's mistake too
      status = problem.getCode() < 500 ? problem.getCode() : HttpStatus.BAD_REQUEST_400;
      String reason = problem.getReason();
      message = reason == null ? HttpStatus.getMessage(status) : reason;
    }
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    byte[] body = service.refusal(status, message).getBytes(StandardCharsets.UTF_8);
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
