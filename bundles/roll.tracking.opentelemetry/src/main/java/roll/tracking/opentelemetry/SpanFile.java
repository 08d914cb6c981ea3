package roll.tracking.opentelemetry;

import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;

/**
 * Appends spans to a file, a line of OTLP's JSON per batch, as collectors write and read them.
 *
 * @param path the file, created if missing
 */
record SpanFile(Path path) implements SpanExporter {
  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    try {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      TraceRequestMarshaler.create(spans).writeJsonTo(line);
      line.write('\n');
      Files.write(path, line.toByteArray(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return CompletableResultCode.ofSuccess();
    } catch (IOException e) {
      return CompletableResultCode.ofExceptionalFailure(e);
    }
  }

  @Override
  public CompletableResultCode flush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}
