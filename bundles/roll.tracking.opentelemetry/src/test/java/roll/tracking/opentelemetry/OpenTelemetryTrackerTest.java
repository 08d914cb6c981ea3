package roll.tracking.opentelemetry;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.tracking.SpanContext;
import roll.api.tracking.SpanData;
import roll.api.tracking.Tracing;
import roll.api.tracking.Tracing.Trace;
import roll.api.tracking.Tracker;
import roll.api.tracking.Tracker.TrackedRun;
import roll.api.tracking.Tracking;
import roll.testkit.TestOptions;
import roll.testkit.TrackerContract;

@Timeout(60)
class OpenTelemetryTrackerTest extends TrackerContract {
  private static final String AGENT = "4bf92f3577b34da6a3ce929d0e0e4736";

  @AutoClose private final Collector collector = new Collector();

  @TempDir Path folder;

  OpenTelemetryTrackerTest() throws IOException {}

  @Override
  protected Tracker tracker() {
    return tracker(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()));
  }

  private static Tracker tracker(Map<String, String> environment) {
    return new OpenTelemetryTracker(environment, Duration.ofSeconds(5));
  }

  /** The names of the files: metrics are not written, and ids of runs differ. */
  @Override
  protected Map<String, String> left(Path run) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(run)) {
      all.forEach(file -> files.put(file.getFileName().toString(), ""));
    }
    return files;
  }

  private Tracking open(Tracker tracker, Map<String, Object> options) {
    return tracker.open(
        new TrackedRun(
            "lake",
            folder,
            9,
            0,
            TestOptions.of("tracker_kwargs.opentelemetry", options, tracker.options())));
  }

  private static Tracing tracing(Tracking tracking) {
    return Objects.requireNonNull(tracking.tracing());
  }

  private static SpanData span(
      String trace, String id, @Nullable SpanContext parent, boolean server, String failure) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("text", "a");
    attributes.put("whole", 7L);
    attributes.put("real", 0.5);
    attributes.put("flag", true);
    SpanContext link = server ? new SpanContext("ab".repeat(16), "cd".repeat(8)) : null;
    return new SpanData(
        new SpanContext(trace, id), parent, server, link, "name", 5, 9, attributes, failure);
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  @Test
  void spansArriveAsTheyWere() {
    String trace;
    try (Tracking tracking = open(tracker(), Map.of("headers", Map.of("X-Key", "k")))) {
      trace = Objects.requireNonNull(tracing(tracking).trace("step-0")).id();
      tracing(tracking).ended(span(trace, "00000000000000a1", null, false, ""));
      SpanContext parent = new SpanContext(trace, "00000000000000a1");
      tracing(tracking).ended(span(trace, "00000000000000a2", parent, false, "it broke"));
      SpanContext agents = new SpanContext(AGENT, "00f067aa0ba902b7");
      tracing(tracking).ended(span(AGENT, "00000000000000a3", agents, true, ""));
    }
    assertEquals(List.of("k"), collector.keys());
    List<Span> spans = collector.spans();
    assertEquals(
        List.of(trace, trace, AGENT), spans.stream().map(one -> hex(one.getTraceId())).toList());
    assertEquals(
        List.of("00000000000000a1", "00000000000000a2", "00000000000000a3"),
        spans.stream().map(one -> hex(one.getSpanId())).toList());
    assertEquals(
        List.of("", "00000000000000a1", "00f067aa0ba902b7"),
        spans.stream().map(one -> hex(one.getParentSpanId())).toList());
    Span root = spans.getFirst();
    assertEquals("name", root.getName());
    assertEquals(5, root.getStartTimeUnixNano());
    assertEquals(9, root.getEndTimeUnixNano());
    Map<String, Object> attributes = new TreeMap<>();
    for (KeyValue attribute : root.getAttributesList()) {
      attributes.put(
          attribute.getKey(),
          switch (attribute.getValue().getValueCase()) {
            case INT_VALUE -> attribute.getValue().getIntValue();
            case DOUBLE_VALUE -> attribute.getValue().getDoubleValue();
            case BOOL_VALUE -> attribute.getValue().getBoolValue();
            default -> attribute.getValue().getStringValue();
          });
    }
    assertEquals(Map.of("text", "a", "whole", 7L, "real", 0.5, "flag", true), attributes);
    assertEquals(Status.StatusCode.STATUS_CODE_ERROR, spans.get(1).getStatus().getCode());
    assertEquals("it broke", spans.get(1).getStatus().getMessage());
    assertEquals(Span.SpanKind.SPAN_KIND_INTERNAL, spans.get(1).getKind());
    assertEquals(Span.SpanKind.SPAN_KIND_SERVER, spans.get(2).getKind());
    assertEquals("ab".repeat(16), hex(spans.get(2).getLinks(0).getTraceId()));
    Map<String, String> resource = new TreeMap<>();
    collector
        .resource()
        .getAttributesList()
        .forEach(one -> resource.put(one.getKey(), one.getValue().getStringValue()));
    assertEquals("roll", resource.get("service.name"));
    assertEquals("lake", resource.get("roll.run"));
  }

  @Test
  void aResumedRunHasTheSameTraces() {
    List<Trace> traces = new ArrayList<>();
    String link = "https://traces.example/trace/{trace_id}?a=1";
    for (int attempt = 0; attempt < 2; attempt++) {
      try (Tracking tracking = open(tracker(), Map.of("link", link))) {
        traces.add(Objects.requireNonNull(tracing(tracking).trace("train/A_0_0_1_0")));
        traces.add(Objects.requireNonNull(tracing(tracking).trace("train/A_0_0_1_1")));
      }
    }
    assertEquals(traces.subList(0, 2), traces.subList(2, 4));
    assertNotEquals(traces.get(0).id(), traces.get(1).id());
    Trace one = traces.getFirst();
    assertTrue(one.id().matches("[0-9a-f]{32}"), one.id());
    assertEquals("https://traces.example/trace/" + one.id() + "?a=1", one.link());
  }

  @Test
  void aShareOfTheTracesIsRecorded() {
    try (Tracking tracking = open(tracker(), Map.of("sample_ratio", 0.25))) {
      int recorded = 0;
      for (int i = 0; i < 4000; i++) {
        recorded += tracing(tracking).trace("train/" + i) == null ? 0 : 1;
      }
      assertEquals(1000, recorded, 150);
    }
    try (Tracking tracking = open(tracker(Map.of("OTEL_TRACES_SAMPLER_ARG", "0")), Map.of())) {
      assertNull(tracing(tracking).trace("train/1"));
    }
  }

  /** The run ends in time, whatever the collector does, and one line says so. */
  @ParameterizedTest
  @CsvSource({
    "refuses, 'does not take spans (status 500); the run continues without them'",
    "stalls, '10 of 10 spans were not sent to'",
    "is away, '10 of 10 spans were not sent to'"
  })
  void aCollectorThatDoesNotTakeSpansCostsTheSpansAlone(String what, String notice)
      throws IOException {
    List<String> notices = new CopyOnWriteArrayList<>();
    String address = collector.address();
    switch (what) {
      case "refuses" -> collector.answers(500);
      case "stalls" -> collector.stalls();
      default -> collector.close();
    }
    OtlpSettings settings =
        OtlpSettings.of(
            TestOptions.of("tracker_kwargs", Map.of("endpoint", address), OtlpSettings.OPTIONS),
            Map.of());
    Duration end = Duration.ofSeconds(what.equals("refuses") ? 30 : 1);
    try (RunSpans spans =
        new RunSpans("lake", "id", settings, settings.exporter(folder), end, notices::add)) {
      String trace = Objects.requireNonNull(spans.trace("step-0")).id();
      for (int i = 0; i < 10; i++) {
        spans.ended(span(trace, "%016x".formatted(i + 1), null, false, ""));
        spans.flush();
      }
    }
    assertTrue(notices.stream().anyMatch(line -> line.contains(notice)), notices.toString());
    assertEquals("10 of 10 spans were not sent to " + address + "/v1/traces", notices.getLast());
    assertTrue(notices.size() <= 2, notices.toString());
  }

  @Test
  void spansMayBeWrittenToAFileOfTheRun() throws IOException {
    List<String> ids = new ArrayList<>();
    for (int attempt = 0; attempt < 2; attempt++) { // a resumed run continues the file
      try (Tracking tracking = open(tracker(), Map.of("exporter", "file"))) {
        String trace = Objects.requireNonNull(tracing(tracking).trace("step-" + attempt)).id();
        ids.add(trace);
        tracing(tracking).ended(span(trace, "00000000000000a1", null, false, "it \"broke\""));
      }
    }
    List<String> lines = Files.readAllLines(folder.resolve("traces.jsonl"));
    assertEquals(2, lines.size());
    for (int line = 0; line < 2; line++) {
      JsonObject span =
          JsonParser.parseString(lines.get(line))
              .getAsJsonObject()
              .getAsJsonArray("resourceSpans")
              .get(0)
              .getAsJsonObject()
              .getAsJsonArray("scopeSpans")
              .get(0)
              .getAsJsonObject()
              .getAsJsonArray("spans")
              .get(0)
              .getAsJsonObject();
      assertEquals(ids.get(line), span.get("traceId").getAsString());
      assertEquals("5", span.get("startTimeUnixNano").getAsString());
      assertEquals("it \"broke\"", span.getAsJsonObject("status").get("message").getAsString());
    }
    assertEquals(List.of(), collector.spans());
  }

  @Test
  void spansAreSentWhileTheRunGoesOn() {
    try (Tracking tracking = open(tracker(), Map.of())) {
      String trace = Objects.requireNonNull(tracing(tracking).trace("step-0")).id();
      tracing(tracking).ended(span(trace, "00000000000000a1", null, false, ""));
      tracking.flush();
      await().until(() -> collector.spans().size() == 1);
    }
  }

  @Test
  void settingsComeFromTheOptionsOrTheEnvironment() {
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            "http://c:1/custom",
            "OTEL_EXPORTER_OTLP_HEADERS",
            "Authorization=Basic%20abc,x-team=red",
            "OTEL_SERVICE_NAME",
            "mine");
    OtlpSettings read =
        OtlpSettings.of(TestOptions.of("t", Map.of(), OtlpSettings.OPTIONS), environment);
    assertEquals(
        new OtlpSettings(
            false,
            "http://c:1/custom",
            Map.of("Authorization", "Basic abc", "x-team", "red"),
            1,
            "mine",
            ""),
        read);
    OtlpSettings given =
        OtlpSettings.of(
            TestOptions.of(
                "t",
                Map.of("endpoint", "https://c/api/otel/", "headers", Map.of()),
                OtlpSettings.OPTIONS),
            environment);
    assertEquals("https://c/api/otel/v1/traces", given.endpoint());
    assertEquals(Map.of(), given.headers());
    OtlpSettings none =
        OtlpSettings.of(TestOptions.of("t", Map.of(), OtlpSettings.OPTIONS), Map.of());
    assertEquals(
        new OtlpSettings(false, "http://localhost:4318/v1/traces", Map.of(), 1, "roll", ""), none);
  }

  @ParameterizedTest
  @CsvSource({
    "endpoint, here, 'an address such as http://localhost:4318'",
    "link, http://localhost/, 'an address such as http://localhost:16686/trace/{trace_id}'",
    "link, 'javascript:{trace_id}', 'an address such as http://localhost:16686/trace/{trace_id}'"
  })
  void mistakesAreRefused(String option, String value, String expected) {
    String message = userError(() -> open(tracker(), Map.of(option, value)).close());
    assertTrue(
        message.startsWith("tracker_kwargs.opentelemetry." + option) && message.contains(expected),
        message);
  }
}
