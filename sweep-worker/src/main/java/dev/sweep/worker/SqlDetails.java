package dev.sweep.worker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes out of error texts what quotes rows: all but the first line of what an SQL exception says (the server's detail
 * line names the values of a violated key), and all of a batch's message, which quotes the statement. Libraries put that
 * text into the messages of their own exceptions, so it is taken out wherever it is repeated.
 */
final class SqlDetails {

    // By name: the engine speaks no SQL, and needs no module of it to know an exception by its class.
    private static final String SQL_EXCEPTION = "java.sql.SQLException";
    private static final String BATCH_EXCEPTION = "java.sql.BatchUpdateException";

    private final Map<String, String> shortened = new LinkedHashMap<>();

    private SqlDetails() {}

    /** What must not be told of these, the outer ones first. */
    static SqlDetails of(List<Throwable> chain) {
        SqlDetails details = new SqlDetails();
        for (Throwable thrown : chain) {
            String message = ErrorText.messageOf(thrown);
            String told = told(thrown, message);
            if (!told.equals(message)) {
                details.shortened.put(message, told);
            }
        }
        return details;
    }

    boolean isEmpty() {
        return shortened.isEmpty();
    }

    String removedFrom(String text) {
        String clean = text;
        for (Map.Entry<String, String> each : shortened.entrySet()) {
            clean = clean.replace(each.getKey(), each.getValue());
        }
        return clean;
    }

    private static String told(Throwable thrown, String message) {
        if (isA(thrown, BATCH_EXCEPTION)) {
            return "an entry of a batch was refused";
        }
        return isA(thrown, SQL_EXCEPTION) ? message.lines().findFirst().orElse("") : message;
    }

    private static boolean isA(Throwable thrown, String className) {
        for (Class<?> type = thrown.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(className)) {
                return true;
            }
        }
        return false;
    }
}
