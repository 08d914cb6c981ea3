package roll.ui.run;

import com.google.gson.JsonPrimitive;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import roll.ui.metric.MetricFile;
import roll.ui.metric.MetricSeries;

/** Writes series as JSON; by hand, because this is what a page asks for most. */
final class SeriesJson {
  private static final int BYTES_PER_POINT = 80;

  private final StringBuilder json = new StringBuilder();

  private SeriesJson() {}

  /** {@code answer} in UTF-8. */
  static byte[] of(MetricFile.Answer answer) {
    return new SeriesJson().written(answer).getBytes(StandardCharsets.UTF_8);
  }

  private String written(MetricFile.Answer answer) {
    int points = answer.series().values().stream().mapToInt(MetricSeries::size).sum();
    json.ensureCapacity(BYTES_PER_POINT * points);
    json.append("{\"last\":").append(answer.last());
    json.append(",\"complete\":").append(answer.complete());
    json.append(",\"broken\":").append(answer.broken());
    json.append(",\"series\":{");
    String before = "";
    for (Map.Entry<String, MetricSeries> one : answer.series().entrySet()) {
      json.append(before).append(new JsonPrimitive(one.getKey())).append(":{");
      series(one.getValue());
      json.append('}');
      before = ",";
    }
    return json.append("}}").toString();
  }

  private void series(MetricSeries series) {
    json.append("\"step\":[");
    for (int i = 0; i < series.size(); i++) {
      json.append(i == 0 ? "" : ",").append(series.step()[i]);
    }
    json.append(']');
    numbers("seconds", series.seconds());
    numbers("min", series.min());
    numbers("max", series.max());
    numbers("mean", series.mean());
  }

  private void numbers(String name, double[] values) {
    json.append(",\"").append(name).append("\":[");
    for (int i = 0; i < values.length; i++) {
      json.append(i == 0 ? "" : ",");
      if (Double.isFinite(values[i])) {
        json.append(values[i]);
      } else {
        json.append("null");
      }
    }
    json.append(']');
  }
}
