package roll.ui.web;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import roll.runtime.option.SecretRedactor;

/** Writes answers as JSON; secrets in texts are hidden here, whatever their source. */
public final class JsonText {
  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .registerTypeAdapter(Double.class, new Finite())
          .registerTypeAdapter(double.class, new Finite())
          .registerTypeAdapter(String.class, new WithoutSecrets())
          .create();

  private JsonText() {}

  /** Returns {@code value} as JSON in UTF-8. */
  public static byte[] of(Object value) {
    return GSON.toJson(value).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns {@code value}, which is written as an object, for further fields. */
  public static JsonObject tree(Object value) {
    return GSON.toJsonTree(value).getAsJsonObject();
  }

  /** Hides secrets in texts; names of fields stay as they are. */
  private static final class WithoutSecrets extends TypeAdapter<String> {
    @Override
    public void write(JsonWriter out, @Nullable String text) throws IOException {
      out.value(text == null ? null : SecretRedactor.hidden(text));
    }

    @Override
    public String read(JsonReader in) throws IOException {
      return in.nextString();
    }
  }

  /** Writes null for numbers that JSON does not have. */
  private static final class Finite extends TypeAdapter<Double> {
    @Override
    public void write(JsonWriter out, @Nullable Double value) throws IOException {
      if (value == null || !Double.isFinite(value)) {
        out.nullValue();
      } else {
        out.value(value);
      }
    }

    @Override
    public Double read(JsonReader in) throws IOException {
      return in.nextDouble();
    }
  }
}
