package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.sweep.maintenance.Diagnosis;
import dev.sweep.maintenance.Finding;
import dev.sweep.maintenance.Finding.Level;
import java.io.PrintWriter;
import java.util.Locale;

/** What the doctor found, for people and for machines. */
final class DoctorReport {

    private static final String ROW = "%-7s  %-10s  %s";
    private static final String REMEDY = " ".repeat(21) + "do: ";

    private DoctorReport() {}

    /** A row each finding, at its full length, and below it what to do. */
    static void print(Diagnosis diagnosis, PrintWriter out) {
        out.println(String.format(Locale.ROOT, ROW, "LEVEL", "CHECK", "WHAT"));
        for (Finding finding : diagnosis.findings()) {
            out.println(Printable.of(
                    String.format(Locale.ROOT, ROW, word(finding.level()), finding.check(), finding.what())));
            if (!finding.remedy().isEmpty()) {
                out.println(REMEDY + Printable.of(finding.remedy()));
            }
        }
        out.println(summary(diagnosis));
        out.flush();
    }

    static ObjectNode json(Diagnosis diagnosis) {
        ObjectNode json = JsonText.object();
        json.put("level", word(diagnosis.level()));
        json.put("at", diagnosis.at().toString());
        ArrayNode findings = json.putArray("findings");
        for (Finding finding : diagnosis.findings()) {
            ObjectNode row = findings.addObject();
            row.put("check", finding.check());
            row.put("level", word(finding.level()));
            row.put("what", finding.what());
            row.put("remedy", finding.remedy());
            ObjectNode numbers = row.putObject("numbers");
            finding.numbers().forEach((name, number) -> numbers.putRawValue(name, new RawValue(number.toString())));
        }
        return json;
    }

    private static String summary(Diagnosis diagnosis) {
        return count(diagnosis, Level.FAULT) + " faults, " + count(diagnosis, Level.WARNING) + " warnings"
                + (diagnosis.level() == Level.OK ? "" : "; docs/operating.md has a runbook for each check");
    }

    private static long count(Diagnosis diagnosis, Level level) {
        return diagnosis.findings().stream()
                .filter(finding -> finding.level() == level)
                .count();
    }

    private static String word(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }
}
