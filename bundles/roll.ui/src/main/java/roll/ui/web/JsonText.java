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
import roll.runtime.option.SecretText;

/** How answers are written: secrets in their texts are hidden here, wherever they come from. */
public final class JsonText {
  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .registerTypeAdapter(Double.class, new Finite())
          .registerTypeAdapter(double.class, new Finite())
          .registerTypeAdapter(String.class, new WithoutSecrets())
          .create();

  private JsonText() {}

  /** {@code value} in UTF-8. */
  public static byte[] of(Object value) {
    return GSON.toJson(value).getBytes(StandardCharsets.UTF_8);
  }

  /** {@code value}, which is written as an object, for more fields. */
  public static JsonObject tree(Object value) {
    return GSON.toJsonTree(value).getAsJsonObject();
  }

  /** Names are written as they are. */
  private static final class WithoutSecrets extends TypeAdapter<String> {
    @Override
    public void write(JsonWriter out, @Nullable String text) throws IOException {
      out.value(text == null ? null : SecretText.hidden(text));
    }

    @Override
    public String read(JsonReader in) throws IOException {
      return in.nextString();
    }
  }

  /** JSON has no word for the other numbers. */
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
