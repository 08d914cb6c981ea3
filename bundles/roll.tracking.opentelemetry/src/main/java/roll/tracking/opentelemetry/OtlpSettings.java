package roll.tracking.opentelemetry;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.remote.WebAddress;

/**
 * Destination of the spans, from the options of a run and the standard environment variables.
 *
 * @param file whether spans are written to a file of the run, not sent
 * @param endpoint address that receives spans
 * @param headers of each request
 * @param ratio share of the traces that are recorded
 * @param service value of {@code service.name}
 * @param link address of the page of a trace, with {@link #TRACE_ID}; empty without one
 */
record OtlpSettings(
    boolean file,
    String endpoint,
    Map<String, String> headers,
    double ratio,
    String service,
    String link) {
  /** Placeholder of the trace id in a link. */
  static final String TRACE_ID = "{trace_id}";

  private static final String FILE = "file";
  private static final String PATH = "/v1/traces";
  private static final Option<String> EXPORTER =
      Option.choice("exporter", List.of("otlp", FILE), "a collector, or a file of the run")
          .withDefault("otlp");
  private static final Option<String> ENDPOINT =
      Option.text("endpoint", "address of the collector, without " + PATH);
  private static final Option<Map<String, String>> HEADERS =
      Option.mapping("headers", "headers of each request");
  private static final Option<Double> RATIO =
      Option.number("sample_ratio", 0, 1, "share of the traces that are recorded");
  private static final Option<String> LINK =
      Option.text("link", "address of the page of a trace, with " + TRACE_ID);

  /** The options of a run. */
  static final List<Option<?>> OPTIONS = List.of(EXPORTER, ENDPOINT, HEADERS, RATIO, LINK);

  /**
   * Reads the settings.
   *
   * @throws roll.api.option.UserException if an address or a number is invalid
   */
  static OtlpSettings of(Options options, Map<String, String> environment) {
    String link = options.find(LINK).orElse("");
    if (!link.isEmpty()
        && (!link.contains(TRACE_ID) || WebAddress.of(link.replace(TRACE_ID, "0")).isEmpty())) {
      throw options.wrong(LINK, "an address such as http://localhost:16686/trace/" + TRACE_ID);
    }
    String service = variable(environment, "OTEL_SERVICE_NAME");
    return new OtlpSettings(
        options.get(EXPORTER).equals(FILE),
        endpoint(options, environment),
        options
            .find(HEADERS)
            .orElseGet(() -> headers(variable(environment, "OTEL_EXPORTER_OTLP_HEADERS"))),
        options.find(RATIO).orElseGet(() -> ratio(options, environment)),
        service == null ? "roll" : service,
        link);
  }

  private static String endpoint(Options options, Map<String, String> environment) {
    String whole = variable(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    String base = variable(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
    String given = options.find(ENDPOINT).orElse(null);
    String address =
        given == null && whole != null
            ? whole
            : first(given, base, "http://localhost:4318").replaceFirst("/+$", "") + PATH;
    return WebAddress.of(address)
        .orElseThrow(
            () ->
                options.wrong(
                    ENDPOINT,
                    "(or as OTEL_EXPORTER_OTLP_ENDPOINT) an address such as http://localhost:4318"))
        .toString();
  }

  private static String first(@Nullable String one, @Nullable String other, String last) {
    return one != null ? one : other != null ? other : last;
  }

  /** Parses headers in the form of W3C baggage: {@code name=value,name=value}. */
  private static Map<String, String> headers(@Nullable String text) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (text != null) {
      for (String pair : text.split(",", -1)) {
        String[] parts = pair.split("=", 2);
        if (parts.length == 2) {
          headers.put(
              parts[0].strip(), URLDecoder.decode(parts[1].strip(), StandardCharsets.UTF_8));
        }
      }
    }
    return headers;
  }

  private static double ratio(Options options, Map<String, String> environment) {
    String text = variable(environment, "OTEL_TRACES_SAMPLER_ARG");
    try {
      double ratio = text == null ? 1 : Double.parseDouble(text);
      if (ratio >= 0 && ratio <= 1) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw options.wrong(RATIO, "(or as OTEL_TRACES_SAMPLER_ARG) a number from 0 to 1");
  }

  private static @Nullable String variable(Map<String, String> environment, String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** Returns a new exporter for the run with the output folder {@code run}. */
  SpanExporter exporter(Path run) {
    if (file) {
      return new SpanFile(run.resolve("traces.jsonl"));
    }
    OtlpHttpSpanExporterBuilder exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint)
            .setCompression("gzip")
            .setMemoryMode(MemoryMode.IMMUTABLE_DATA)
            .setMeterProvider(MeterProvider.noop());
    headers.forEach(exporter::addHeader);
    return exporter.build();
  }

  /** Returns where spans go, for messages. */
  String target() {
    return file ? "traces.jsonl" : endpoint;
  }
}
